// Recognises script libraries by their address or first line, and the version from which known vulnerabilities are fixed.

/** From the libraries' own advisories: the version that fixed a vulnerability, and its CVE. */
const known: readonly (readonly [name: string, pattern: string, fixedIn: string, known: string])[] = [
  ['jQuery', 'jquery', '3.5.0', 'CVE-2020-11022'],
  ['jQuery UI', 'jquery-ui', '1.13.2', 'CVE-2022-31160'],
  ['Bootstrap', 'bootstrap', '3.4.1', 'CVE-2019-8331'],
  ['AngularJS', 'angular', '1.8.0', 'CVE-2020-7676'],
  ['Lodash', 'lodash', '4.17.21', 'CVE-2021-23337'],
  ['Moment.js', 'moment', '2.29.4', 'CVE-2022-31129'],
  ['Handlebars', 'handlebars', '4.7.7', 'CVE-2021-23369'],
  ['Underscore', 'underscore', '1.13.0', 'CVE-2021-23358'],
  ['DOMPurify', 'purify', '2.5.4', 'CVE-2024-45801'],
  ['Mustache', 'mustache', '2.2.1', 'CVE-2015-8862'],
  ['TinyMCE', 'tinymce', '5.10.0', 'CVE-2024-21911'],
  ['CKEditor', 'ckeditor', '4.24.0', 'CVE-2024-24816'],
  ['Axios', 'axios', '0.21.2', 'CVE-2021-3749'],
]

type Library = { name: string; version: string; fixedIn: string; known: string; proof: string }

const libraries = known.map(([name, word, fixedIn, cve]) => ({
  name,
  fixedIn,
  known: cve,
  inAddress: new RegExp(
    `(?:^|[/@])${word}(?:\\.min|\\.slim)?(?:[@/-]|js/)v?(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})(?:[./-]|$)|/${word}/(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})/`,
    'i',
  ),
  // at the start of a comment's line: a library that names another one asks for it
  inHead: new RegExp(
    `^[\\s/*!;]{0,20}(?:@(?:license|preserve) )?${name.replace('.', '\\.')}(?: JavaScript Library)?[ -]{1,3}v?(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})`,
    'im',
  ),
}))

/** The first library older than the version that fixed a public vulnerability. */
export function librariesIn(addresses: readonly string[], head: string): Library | null {
  if (addresses.length === 0) return null
  for (const { inAddress, inHead, ...library } of libraries) {
    for (const [text, pattern] of [
      ...addresses.map((address) => [address, inAddress] as const),
      [head, inHead] as const,
    ]) {
      const found = pattern.exec(text)
      const version = found?.[1] ?? found?.[2]
      if (found && version && isBefore(version, library.fixedIn)) return { ...library, version, proof: found[0] }
    }
  }
  return null
}

function isBefore(version: string, other: string): boolean {
  const [left, right] = [version.split('.').map(Number), other.split('.').map(Number)]
  for (const [index, part] of left.entries()) {
    const against = right[index] ?? 0
    if (part !== against) return part < against
  }
  return false
}
