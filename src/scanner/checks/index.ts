// The checks of the scanner, one line each.

import type { Check } from '../types.ts'
import { securityHeaders } from './security-headers.ts'
import { sqlErrors } from './sql-errors.ts'

export const checks: readonly Check[] = [...securityHeaders, sqlErrors]
