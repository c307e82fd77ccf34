// The shape of one operation of the vulnerable service, and short ways to write its answers.
import type { Flaw, Switch } from './flaw.ts'
import type { State, User } from './state.ts'

/** A JSON schema, as far as the service describes itself. */
export type Schema = { [key: string]: unknown }

export type Call = {
  on: Switch
  state: State
  method: string
  url: URL
  params: Record<string, string>
  query: Record<string, string>
  headers: Record<string, string>
  cookies: Record<string, string>
  /** The parsed JSON, form or multipart fields; an empty object where there is none. */
  body: Record<string, unknown>
  raw: Buffer
  user: User | undefined
}

export type Answer = {
  status?: number
  headers?: Record<string, string | string[]>
  /** Written after the headers as they stand, for header lines that node:http itself would refuse. */
  rawHeaders?: string
  body: string | Buffer
}

export type Route = {
  method: string
  /** With `{name}` for what varies; `{name*}` takes the rest of the path. */
  path: string
  access?: 'public' | 'user' | 'admin'
  /** The flaw by which a body that is no JSON is answered with the trace of the fault. */
  faultsShownBy?: string
  /** What the description says about it; a route without is not described. */
  spec?: {
    summary: string
    query?: Record<string, Schema>
    path?: Record<string, Schema>
    header?: Record<string, Schema>
    cookie?: Record<string, Schema>
    body?: Schema
    bodyType?: string
    answer?: Schema
  }
  handle: (call: Call) => Answer | Promise<Answer>
}

/** A part of the service: what it answers, and what is wrong with it. */
export type Area = { flaws: Flaw[]; routes: Route[] }

/** An error that the service meant: its sentence goes to the client. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const json = (value: unknown, status = 200, headers: Record<string, string | string[]> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(value),
})

export const page = (title: string, body: string, status = 200, headers: Record<string, string | string[]> = {}) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>\n${body}\n</body></html>`,
})

export const plain = (body: string, status = 200, headers: Record<string, string | string[]> = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  body,
})

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A field as text: what is absent is empty, what is no text is written as JSON. */
export const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

export const string = (example: string, more: Schema = {}): Schema => ({ type: 'string', example, ...more })
export const integer = (example: number, more: Schema = {}): Schema => ({ type: 'integer', example, ...more })
export const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})
export const list = (items: Schema): Schema => ({ type: 'array', items })
