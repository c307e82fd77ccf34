// Joins a name and its value that stand on two lines, so that detectors see them on one.

/** The joined text, the line of the value counted from that of the name, and how far the value has moved to the right. */
type Joined = { text: string; below: number; shift: number }

/** `- name: DB_PASSWORD`, `"key": "password",`, `variable "db_password" {`: the field behind it has the value. */
const NAMED =
  /^\s*(?:-\s{1,10})?(?:["']?(?:name|key|Name|Key)["']?\s?[:=]\s?["']?([\w.-]{2,80})["']?,?|variable\s{1,5}"([\w-]{2,80})"\s?\{|<[\w:]{1,40}\s[^<>]{0,100}(?:name|key)="([\w.-]{2,80})"[^<>/]{0,100}>)\s*$/

const VALUED = /^\s*(?:["']?(?:value|default|Value)["']?\s?[:=]\s?|<value>)/

/** A name whose sign ends the line: an element of XML, an assignment, a call, a block of YAML, a command that goes on. */
const OPEN = /(?:[\w"'\])][ \t]{0,5}(?::?=>?|:|\(|=[ \t]?\()|<[\w.:-]{2,80}>|:[ \t]?[>|][-+]?|\\)[ \t]{0,5}$/

/** The last characters of such a line. */
const ENDS = new Set('=>:(|-+\\')

/** Lines below a name among which its value is looked for. */
const NEAR = 4

/** `below` gives lines under `text` of the same side. */
export function joined(text: string, below: (most: number) => readonly string[]): Joined | null {
  if (text.length > LONGEST) return null
  const named = NAMED.exec(text)
  const name = named?.[1] ?? named?.[2] ?? named?.[3]
  if (name !== undefined) {
    const near = below(NEAR)
    const at = near.findIndex((line) => VALUED.test(line))
    const line = near[at]
    if (line === undefined || near.slice(0, at).some(endsField)) return null
    return behind(`${name} = `, line, VALUED.exec(line)?.[0].length ?? 0, at + 1)
  }
  if (!ENDS.has(text.trimEnd().at(-1) ?? '') || !OPEN.test(text)) return null
  const [next = ''] = below(1)
  return behind(`${opened(text.trim())} `, next, next.length - next.trimStart().length, 1)
}

/** Characters of a line that is a name alone. */
const LONGEST = 300

const endsField = (line: string): boolean => NAMED.test(line) || /^[}\]]?,?$/.test(line.trim())

/** Without what only says that more follows: YAML's `>-` and `|`, a shell's `\`, the bracket behind a sign. */
const opened = (text: string): string =>
  text.startsWith('<') ? text : text.replace(/(?<![=-])[>|\\][-+]?$|(?<==[ \t]?)\($/, '')

function behind(name: string, line: string, from: number, below: number): Joined | null {
  if (line.length > 2000 || line.slice(from).trim() === '') return null
  return { text: name + line.slice(from), below, shift: name.length - from }
}
