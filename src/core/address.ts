// Validates addresses that are shown as links and passed to scanners: web addresses and, for repositories, git and ssh; no other scheme.

import { badUserInput } from './errors.ts'

const LONGEST_ADDRESS = 2000

const NAME = String.raw`[^\s:/?#@[\]\\<>"]+`
const IPV6 = String.raw`\[[0-9a-f:.]+\]`
const HOST = String.raw`(${IPV6}|${NAME})(:\d{1,5})?`
const REST = String.raw`([/?#]\S*)?$`
// a word before a port could be read as a scheme, such as javascript:1/alert(1)
const BARE = String.raw`(${NAME}|(localhost|${NAME}\.${NAME}|${IPV6}):\d{1,5}|${IPV6})`
const WEB = new RegExp(`^(https?://${HOST}|${BARE})${REST}`, 'i')
const REPOSITORY = new RegExp(String.raw`^(ssh://([\w.-]+@)?${HOST}/\S+|git://${HOST}/\S+|[\w.-]+@[\w.-]+:\S+)$`, 'i')

/** An http or https address or a bare host, without credentials; null for an empty text. */
export const readUrl = (text: string | null | undefined, argument: string) =>
  readAddress(text, argument, (address) => WEB.test(address), 'an http or https address without credentials')

/** As readUrl, or a repository's git or ssh address. */
export const readRepoUrl = (text: string | null | undefined, argument: string) =>
  readAddress(
    text,
    argument,
    (address) => WEB.test(address) || REPOSITORY.test(address),
    'an http, https, ssh or git address without a password',
  )

function readAddress(
  text: string | null | undefined,
  argument: string,
  passes: (address: string) => boolean,
  wanted: string,
): string | null | undefined {
  if (text === null || text === undefined) return text
  const address = text.trim()
  if (address === '') return null
  // a tool that receives the address would read a leading hyphen as an option
  if (address.length <= LONGEST_ADDRESS && !address.startsWith('-') && passes(address)) return address
  throw badUserInput(`${argument.split('.').at(-1)} must be ${wanted}, at most ${LONGEST_ADDRESS} characters`, argument)
}
