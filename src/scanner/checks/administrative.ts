// Recognises administrative functions by their names.

import type { Operation } from '../types.ts'

const ADMINISTRATIVE =
  /(^|[^a-z])(admin|administrator|administration|management|backoffice|back-office|superuser|sudo|staff-only|impersonate|audit-?logs?)([^a-z]|$)|#\w+\.(admin|\w{0,40}Admin|all[A-Z_]?\w{0,20}users|getAll\w{0,4}Users|list\w{0,4}AllUsers|\w{0,40}[dD]iagnostics|\w{0,20}[aA]udit_?[lL]ogs?|impersonate)\w{0,40}$/i

/** Whether an operation is for administrators, going by its name. */
export const isAdministrative = ({ key, path }: Operation): boolean =>
  ADMINISTRATIVE.test(path) || (key.includes('#') && ADMINISTRATIVE.test(key))
