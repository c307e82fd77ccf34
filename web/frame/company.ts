// Which company the page is of: what its address says.

import { useParams } from 'react-router'

/** Every page inside the frame is at an address with a company. */
export function useCompanyId(): string {
  const { companyId } = useParams()
  if (companyId === undefined) throw new Error('This page is at an address without a company')
  return companyId
}
