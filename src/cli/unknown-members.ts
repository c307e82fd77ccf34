// Names the members of a record that the service does not know; the service only says that there are some, because their names might be secret.

import { offer } from '../core/nearest.ts'
import { request } from './client.ts'

const MEMBERS = 'query ($type: String!) { __type(name: $type) { inputFields { name } } }'

const UNKNOWN = /^a field is not defined by type (\w+)/

/** The same sentences, except that the one about unknown members names those in `sent`; its `type` does not count as a member. */
export async function namingUnknown(sentences: readonly string[], sent: object): Promise<string> {
  const named = new Set<string>()
  for (const sentence of sentences) {
    const [, type] = UNKNOWN.exec(sentence) ?? []
    const unknown = type === undefined ? [] : await unknownOf(type, Object.keys(sent))
    for (const one of unknown.length > 0 ? unknown : [sentence]) named.add(one)
  }
  return [...named].join('; ')
}

async function unknownOf(type: string, names: readonly string[]): Promise<string[]> {
  const known = await membersOf(type)
  return names
    .filter((name) => name !== 'type' && !known.includes(name))
    .map((name) => `There is no member ${name}${offer(name, known)}`)
}

const asked = new Map<string, Promise<string[]>>()

function membersOf(type: string): Promise<string[]> {
  const known = asked.get(type) ?? request(MEMBERS, { type }).then(({ __type }) => __type.inputFields.map(nameOf))
  asked.set(type, known)
  return known
}

const nameOf = ({ name }: { name: string }): string => name
