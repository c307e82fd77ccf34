// Turns a page of records into what a searchable choice takes.

import type { Found, Option } from '../ui/search-offered.ts'

type Page<Row> = { collection: readonly Row[]; metadata: { totalCount: number; totalCountIsExact: boolean } }

export const foundOf = <Row>({ collection, metadata }: Page<Row>, optionOf: (row: Row) => Option): Found => ({
  options: collection.map(optionOf),
  total: metadata.totalCount,
  isExact: metadata.totalCountIsExact,
})
