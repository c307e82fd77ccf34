// Converts an XML element to an object with fields, for formats that exist both in XML and in JSON.

import type { Fields } from './values.ts'
import type { Element } from './xml-walk.ts'

/** Children by name: their text, or their fields if they have children; an array if a name is repeated. `@name` is an attribute. */
export function fieldsOf(element: Element): Fields {
  const fields: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(element.attributes)) fields[`@${name}`] = value
  for (const child of element.children) {
    const value = child.children.length === 0 ? child.text : fieldsOf(child)
    const before = fields[child.name]
    if (before === undefined) fields[child.name] = value
    else if (Array.isArray(before)) before.push(value)
    else fields[child.name] = [before, value]
  }
  return fields
}
