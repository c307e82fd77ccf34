// Extracts from a page what leads on: links, forms with their fields, scripts, and comments.

import { Parser } from 'htmlparser2'

export type FormField = {
  name: string
  value: string
  type: string
  id: string
  className: string
  options: string[]
  /** what stands on each of the options, or on the button */
  labels: string[]
  /** a button that sends the form */
  isSubmitting: boolean
  /** where such a button sends it; '' when the form says */
  formAction: string
  /** what stands before it and in it, such as `Your e-mail address:` */
  hint: string
}
/** `hasMethod`: the page says how it is sent, which is by GET otherwise. */
export type Form = {
  action: string
  method: string
  hasMethod: boolean
  encoding: string
  fields: FormField[]
  id: string
}

export type Page = {
  links: string[]
  /** what stands on links, such as `Delete` */
  labelled: { link: string; label: string }[]
  forms: Form[]
  /** fields that stand in no form */
  loose: FormField[]
  /** texts of scripts that stand in the page */
  scripts: string[]
  /** every element that loads something: its name, the address, whether it names an integrity */
  loads: { tag: string; url: string; hasIntegrity: boolean }[]
  comments: string[]
  title: string
  base: string | null
  refresh: string | null
}

type Attributes = Readonly<Record<string, string>>

const MOST = 2_000
/** of one form */
const MOST_FIELDS = 200
const LONGEST_SCRIPT = 400_000
const LONGEST_HINT = 80

const linkAttributes: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  iframe: 'src',
  frame: 'src',
  embed: 'src',
  object: 'data',
}
/** Attributes of any element that name an address as well. */
const OTHER_LINKS = ['data-href', 'data-url', 'data-src', 'hx-get', 'formaction']
const loadAttributes: Readonly<Record<string, string>> = {
  script: 'src',
  link: 'href',
  img: 'src',
  iframe: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
}

const FIELDS: ReadonlySet<string> = new Set(['input', 'select', 'textarea', 'button'])

const NAVIGATION =
  /\b(?:location(?:\.href)?\s{0,3}=|(?:location\.(?:assign|replace)|window\.open)\()\s{0,3}(["'`])([^"'`\s<>]{1,500})\1(?!\s{0,3}\+)/g

/** Where a script's text leads its page to, as far as that is written out. */
export const navigationsIn = (script: string): string[] =>
  [...script.slice(0, LONGEST_SCRIPT).matchAll(NAVIGATION)].map(([, , link = '']) => link)

/** Reads a page as browsers do, broken markup included. */
export function readPage(html: string): Page {
  const page: Page = {
    links: [],
    labelled: [],
    forms: [],
    loose: [],
    scripts: [],
    loads: [],
    comments: [],
    title: '',
    base: null,
    refresh: null,
  }
  let form: Form | null = null
  let select: FormField | null = null
  let option: { text: string; value: string | undefined; isSelected: boolean } | null = null
  let area: FormField | null = null
  let anchor: Page['labelled'][number] | null = null
  let button: FormField | null = null
  let script: string | null = null
  /** the text before the next field */
  let before = ''
  let isTitle = false
  let size = 0
  const endOption = () => {
    if (option && select) {
      const value = option.value ?? option.text.trim()
      if (select.options.length < MOST) {
        select.options.push(value)
        select.labels.push(option.text.trim())
      }
      if (option.isSelected || select.value === '') select.value = value
    }
    option = null
  }
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'a' && attributes.href !== undefined && page.links.length < MOST) {
        anchor = { link: attributes.href.trim(), label: '' }
        page.labelled.push(anchor)
      }
      addLinks(page, tag, attributes)
      addLoad(page, tag, attributes)
      if (tag === 'base') page.base = attributes.href ?? null
      if (tag === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')) page.refresh = refreshOf(attributes)
      if (tag === 'form' && page.forms.length < MOST) {
        form = formOf(attributes)
        page.forms.push(form)
      }
      if (tag === 'title') isTitle = true
      if (tag === 'script') script = ''
      if (tag === 'option') {
        endOption()
        option = { text: '', value: attributes.value, isSelected: attributes.selected !== undefined }
      }
      if (!FIELDS.has(tag)) return
      const field = fieldOf(tag, attributes, before)
      before = ''
      const owner = form?.fields ?? page.loose
      if (owner.length < MOST_FIELDS) owner.push(field)
      if (tag === 'select') select = field
      if (tag === 'textarea') area = field
      if (tag === 'button') button = field
    },
    ontext(text) {
      if (script !== null && size < LONGEST_SCRIPT) {
        script += text
        size += text.length
      }
      if (isTitle) page.title += text
      if (script === null && !option && !area) before = (before + text).slice(-LONGEST_HINT)
      if (area) area.value += text
      if (anchor) anchor.label = (anchor.label + text).slice(0, LONGEST_HINT)
      if (button) button.labels = [`${button.labels[0] ?? ''}${text}`.slice(0, LONGEST_HINT)]
      if (option) option.text += text
    },
    onclosetag(tag, isImplied) {
      // what ends around a form does not end the form
      if (tag === 'form' && !isImplied) form = null
      if (tag === 'option') endOption()
      if (tag === 'select') select = null
      if (tag === 'textarea') area = null
      if (tag === 'button') button = null
      if (tag === 'a') anchor = null
      if (tag === 'title') isTitle = false
      if (tag === 'script') {
        if (script) page.scripts.push(script)
        script = null
      }
    },
    oncomment(text) {
      if (page.comments.length < MOST) page.comments.push(text)
    },
  })
  parser.end(html)
  if (page.loose.some(({ name }) => name !== '') && page.forms.every(({ fields }) => fields.length === 0)) {
    for (const one of page.forms) one.fields = page.loose
  }
  return page
}

function addLinks({ links }: Page, tag: string, attributes: Attributes): void {
  const link = attributes[linkAttributes[tag] ?? '']
  if (link !== undefined && links.length < MOST) links.push(link.trim())
  for (const name of OTHER_LINKS) if (attributes[name] && links.length < MOST) links.push(attributes[name].trim())
  for (const name in attributes) {
    if (!name.startsWith('on') || links.length >= MOST) continue
    for (const link of navigationsIn(attributes[name] ?? '')) links.push(link)
  }
}

function addLoad({ loads }: Page, tag: string, attributes: Attributes): void {
  const url = attributes[loadAttributes[tag] ?? '']
  if (url === undefined || loads.length >= MOST) return
  if (tag === 'link' && !/stylesheet|icon|preload/i.test(attributes.rel ?? '')) return
  loads.push({ tag, url: url.trim(), hasIntegrity: attributes.integrity !== undefined })
}

const refreshOf = ({ content = '' }: Attributes): string | null =>
  /url\s{0,20}=\s{0,20}['"]?([^'"]{1,2000})/i.exec(content)?.[1]?.trim() ?? null

const formOf = (attributes: Attributes): Form => ({
  action: attributes.action ?? '',
  method: (attributes.method ?? 'get').toLowerCase(),
  hasMethod: attributes.method !== undefined,
  encoding: (attributes.enctype ?? '').toLowerCase(),
  fields: [],
  id: attributes.id ?? '',
})

/** `before`: the text that stands before it. */
const fieldOf = (tag: string, attributes: Attributes, before: string): FormField => ({
  name: attributes.name ?? '',
  value: attributes.value ?? '',
  type: tag === 'input' ? (attributes.type ?? 'text').toLowerCase() : tag,
  id: attributes.id ?? '',
  className: attributes.class ?? '',
  options: [],
  labels: [],
  isSubmitting: tag === 'button' ? /^(submit)?$/i.test(attributes.type ?? '') : attributes.type === 'submit',
  formAction: attributes.formaction ?? '',
  hint: `${before} ${attributes.placeholder ?? ''}`.trim(),
})

/** Whether a page has a field that hides what is typed, as where one signs in. */
export function asksPassword(html: string): boolean {
  const { forms, loose } = readPage(html)
  return [...forms.flatMap(({ fields }) => fields), ...loose].some(({ type }) => type === 'password')
}
