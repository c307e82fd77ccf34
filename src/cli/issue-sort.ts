// Reads `--sort`: a field, and a direction if it is not the field's default.

import { oneOf } from './values.ts'
import { WrongUse } from './wrong-use.ts'

/** The fields, each with its default direction. */
export const sortFields = {
  SEVERITY: 'DESC',
  STATUS: 'DESC',
  PRIORITY: 'DESC',
  TITLE: 'ASC',
  CREATED_AT: 'DESC',
  UPDATED_AT: 'DESC',
  SLA_DUE_AT: 'ASC',
} as const

type Field = keyof typeof sortFields

export type Sort = { field: Field; order: 'ASC' | 'DESC' }

/** `title`, `title:desc`. */
export function readSort(text: string): Sort {
  const [name = '', direction, ...more] = text.split(':')
  const field = oneOf('--sort', Object.keys(sortFields) as Field[])(name)
  if (direction === undefined) return { field, order: sortFields[field] }
  const order = direction.toUpperCase()
  if ((order !== 'ASC' && order !== 'DESC') || more.length > 0) {
    throw new WrongUse(`--sort ${text}: after ${name} comes nothing, :asc or :desc`)
  }
  return { field, order }
}
