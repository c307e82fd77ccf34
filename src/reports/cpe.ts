// Parses a CPE name (2.3 and 2.2): the product and its version.

type Product = { name: string; version?: string }

/** Null if the text is not a CPE name. `*` and `-` are no version. */
export function readCpe(value: string | undefined): Product | null {
  const [, rest] = /^cpe:(?:2\.3:|\/)[aoh]:(.{1,2000})$/i.exec(value ?? '') ?? []
  if (rest === undefined) return null
  const [, name, version] = rest.split(/(?<!\\):/).map((part) => part.replaceAll(/\\(.)/g, '$1'))
  if (!name || name === '*') return null
  return { name, version: version === '*' || version === '-' ? undefined : version || undefined }
}
