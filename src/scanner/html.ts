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

const MOST = 2_000
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
const loadAttributes: Readonly<Record<string, string>> = {
  script: 'src',
  link: 'href',
  img: 'src',
  iframe: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
}

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
      const link = attributes[linkAttributes[tag] ?? '']
      if (link !== undefined && page.links.length < MOST) {
        page.links.push(link.trim())
        if (tag === 'a') {
          anchor = { link: link.trim(), label: '' }
          page.labelled.push(anchor)
        }
      }
      for (const name of ['data-href', 'data-url', 'data-src', 'hx-get', 'formaction']) {
        if (attributes[name] && page.links.length < MOST) page.links.push(attributes[name].trim())
      }
      for (const name in attributes) {
        if (!name.startsWith('on') || page.links.length >= MOST) continue
        for (const link of navigationsIn(attributes[name] ?? '')) page.links.push(link)
      }
      const load = attributes[loadAttributes[tag] ?? '']
      if (
        load !== undefined &&
        page.loads.length < MOST &&
        !(tag === 'link' && !/stylesheet|icon|preload/i.test(attributes.rel ?? ''))
      ) {
        page.loads.push({ tag, url: load.trim(), hasIntegrity: attributes.integrity !== undefined })
      }
      if (tag === 'base') page.base = attributes.href ?? null
      if (tag === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')) {
        page.refresh = /url\s{0,20}=\s{0,20}['"]?([^'"]{1,2000})/i.exec(attributes.content ?? '')?.[1]?.trim() ?? null
      }
      if (tag === 'form' && page.forms.length < MOST) {
        form = {
          action: attributes.action ?? '',
          method: (attributes.method ?? 'get').toLowerCase(),
          hasMethod: attributes.method !== undefined,
          encoding: (attributes.enctype ?? '').toLowerCase(),
          fields: [],
          id: attributes.id ?? '',
        }
        page.forms.push(form)
      }
      if (tag === 'title') isTitle = true
      if (tag === 'script') script = ''
      if (tag === 'option') {
        endOption()
        option = { text: '', value: attributes.value, isSelected: attributes.selected !== undefined }
      }
      if (!['input', 'select', 'textarea', 'button'].includes(tag)) return
      const field: FormField = {
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
      }
      before = ''
      const owner = form?.fields ?? page.loose
      if (owner.length < 200) owner.push(field)
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

/** Whether a page has a field that hides what is typed, as where one signs in. */
export function asksPassword(html: string): boolean {
  const { forms, loose } = readPage(html)
  return [...forms.flatMap(({ fields }) => fields), ...loose].some(({ type }) => type === 'password')
}
