// Redirects the bare address of a company to its overview.

import { Navigate } from 'react-router'
import { useCompanyId } from '../frame/company.ts'
import { to } from '../util/path-builder.ts'

export function Component() {
  return <Navigate to={to.overview({ companyId: useCompanyId() })} replace />
}
