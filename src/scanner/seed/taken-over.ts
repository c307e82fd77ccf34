// Leaves out password forms that a script sends in its own way: the server ignores what their address would say.

import { readPage } from '../html.ts'
import { textsOf } from '../page-texts.ts'
import { quietly } from '../probing.ts'
import { get, type Send } from '../requests.ts'
import type { Exchange, Operation } from '../types.ts'
import { fromForm } from './forms.ts'

/**
 * A form without a method would put its password into the address, unless a script takes it over. One does if the page has scripts, and
 * the answer to that address shows nothing but what the page shows anyway.
 */
export async function withoutTakenOver(operations: readonly Operation[], send: Send): Promise<Operation[]> {
  const left: Operation[] = []
  for (const operation of operations) if (!(await isTakenOver(operation, send))) left.push(operation)
  return left
}

const PASSWORD = /passw|pwd/i

async function isTakenOver(operation: Operation, send: Send): Promise<boolean> {
  const { source, method, foundOn, isDestructive, parameters, origin, path } = operation
  if (source !== 'form' || method !== 'GET' || foundOn === undefined || isDestructive) return false
  if (path.includes('{') || !parameters.some(({ name }) => PASSWORD.test(name))) return false
  const query = new URLSearchParams(parameters.map(({ name, value }): [string, string] => [name, value]))
  // somebody who is signed in may be led away from the page of a sign-in
  for (const options of [{ identity: null }, {}]) {
    const page = await quietly(send(get(foundOn), options))
    if (page === null || !hasBareForm(page, operation)) continue
    const answer = await quietly(send(get(`${origin}${path}?${query}`), options))
    return answer !== null && showsNoMore(answer, page)
  }
  return false
}

/** Whether the page has scripts, and the form without saying how it is sent. */
function hasBareForm({ request, text, answer }: Exchange, { key }: Operation): boolean {
  if (answer.status >= 300) return false
  const { forms, scripts, loads } = readPage(text)
  if (scripts.length === 0 && !loads.some(({ tag }) => tag === 'script') && !/<form[^>]{1,500}\bonsubmit\b/i.test(text))
    return false
  return forms.some((form) => !form.hasMethod && fromForm(form, request.url).some((one) => one.key === key))
}

function showsNoMore({ answer, text }: Exchange, page: Exchange): boolean {
  const known = new Set(textsOf(page.text))
  return answer.status === page.answer.status && textsOf(text).every((one) => known.has(one))
}
