// The company of the current page, taken from its address.

import { useParams } from 'react-router'

/** Every page inside the frame has a company in its address. */
export function useCompanyId(): string {
  const { companyId } = useParams()
  if (companyId === undefined) throw new Error('This page is at an address without a company')
  return companyId
}
