// A page of records as what was found of a choice.

import type { Found, Option } from '../ui/search-choice.tsx'

type Page<Row> = { collection: readonly Row[]; metadata: { totalCount: number; totalCountIsExact: boolean } }

export const foundOf = <Row>({ collection, metadata }: Page<Row>, optionOf: (row: Row) => Option): Found => ({
  options: collection.map(optionOf),
  total: metadata.totalCount,
  isExact: metadata.totalCountIsExact,
})
