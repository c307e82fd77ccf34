// A page's form as an operation, filled in as a person would.

import { halfMark } from '../halves.ts'
import type { Form, FormField } from '../html.ts'
import type { Field, Operation } from '../types.ts'
import { commandsHarm, isDestructive, isFormToken, valueByName } from './names.ts'
import { fromObserved } from './observed.ts'

const MOST_BUTTONS = 6
/** Fields for whoever it is, which may have to be an address all the same. */
const NAMED_ANYHOW = /^(user[-_]?(name|id)?|login([-_]?(name|id))?|account|uid|name|id|usr)$/i

/** What the form asks: one operation for each of its buttons, since only the one that is pressed is sent. */
export function fromForm(form: Form, page: string): Operation[] {
  const buttons = form.fields.filter(({ isSubmitting, name }) => isSubmitting && name !== '')
  const pressed = buttons.length > 0 ? buttons.slice(0, MOST_BUTTONS) : [undefined]
  return pressed.flatMap((button) => {
    const sent = pressedForm(form, page, button)
    if (sent === null) return []
    const isHarmful = button ? saysHarm(button) : isHarmAlone(form)
    const whole = withGiven(isHarmful ? { ...sent, isDestructive: true } : sent, form)
    return [withMenu(whole, form), ...halvesOf(whole, form)]
  })
}

const saysHarm = ({ value, labels: [label = ''] }: FormField): boolean => commandsHarm(value) || commandsHarm(label)

/** Whether a form without a field for its button has none that does anything else. */
function isHarmAlone({ fields }: Form): boolean {
  const buttons = fields.filter(({ isSubmitting }) => isSubmitting)
  return buttons.length > 0 && buttons.every(saysHarm)
}

/** Null when the form leads nowhere that can be asked. */
function pressedForm(form: Form, page: string, button: FormField | undefined): Operation | null {
  const action = URL.parse(button?.formAction || form.action, page)
  if (action === null) return null
  const seen = new Set<string>()
  const fields = form.fields.flatMap((field): Field[] => {
    if (field.name === '' || ['button', 'reset'].includes(field.type) || field.isSubmitting) {
      return field === button ? [{ name: field.name, value: labelOf(field) }] : []
    }
    if (field.type === 'radio' && seen.has(field.name)) return []
    seen.add(field.name)
    return [valued(field)]
  })
  const says = button ? `${button.name} ${button.value}` : undefined
  const hasFile = fields.some(({ fileName }) => fileName !== undefined)
  const foundOn = page
  if (form.method !== 'post') {
    action.search = ''
    const named = new URL(action)
    for (const { name, value } of fields) {
      action.searchParams.append(name, value)
      named.searchParams.append(name, isTyped(form, name) ? '' : value)
    }
    const asked = fromObserved({ method: 'GET', url: action.href, says, source: 'form', foundOn })
    // what the page filled in for somebody to write over is no command
    const plain = asked?.isDestructive
      ? fromObserved({ method: 'GET', url: named.href, says, source: 'form', foundOn })
      : asked
    return withTokens(asked && plain && { ...asked, isDestructive: plain.isDestructive }, form)
  }
  const mediaType =
    hasFile || form.encoding.includes('multipart') ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  return withTokens(
    fromObserved({ method: 'POST', url: action.href, fields, mediaType, says, source: 'form', foundOn }),
    form,
  )
}

const isTyped = ({ fields }: Form, given: string): boolean =>
  fields.some(({ name, type }) => name === given && (TYPED.has(type) || type === 'textarea' || type === 'search'))

/** A button without a value is sent with what browsers write on it. */
const labelOf = ({ value, type }: FormField) => value || (type === 'submit' ? 'Submit' : '')

function withGiven(whole: Operation, { fields }: Form): Operation {
  const given = fields.filter(({ name, value }) => name !== '' && value !== '')
  const filled = given.filter(({ type }) => TYPED.has(type)).map(({ name }) => name)
  const hidden = given.filter(({ type }) => type === 'hidden').map(({ name }) => name)
  return { ...whole, ...(filled.length > 0 ? { filled } : {}), ...(hidden.length > 0 ? { hidden } : {}) }
}

/** Kinds of fields that a person writes in. */
const TYPED = new Set(['text', 'email', 'password', 'tel'])

/** What a choice says that destroys is none to be tried. */
function withMenu(whole: Operation, { fields }: Form): Operation {
  const named = fields.filter(({ name, type, isSubmitting }) => name !== '' && type !== 'hidden' && !isSubmitting)
  const [list] = named
  if (named.length !== 1 || list?.type !== 'select') return whole
  const chosen = list.value
  const values = list.options.filter((value, index) => {
    const says = `${value} ${list.labels[index] ?? ''}`
    return value !== '' && value !== chosen && !isDestructive(whole.method, says)
  })
  return values.length > 0 ? { ...whole, menu: { field: list.name, values } } : whole
}

/** A form that offers a list or a text to search by may refuse both at once: it is also sent with one of them alone. */
function halvesOf(whole: Operation, { fields }: Form): Operation[] {
  const named = fields.filter(({ name }) => name !== '')
  const lists = named.filter(({ type, options }) => type === 'select' && options[0] === '' && options.length > 1)
  const texts = named.filter(({ type, value }) => ['text', 'search', 'textarea'].includes(type) && value === '')
  if (lists.length === 0 || texts.length === 0) return []
  return [half(whole, texts, lists, 1), half(whole, lists, texts, 2)]
}

function half(whole: Operation, kept: FormField[], emptied: FormField[], number: number): Operation {
  const isKept = ({ name }: { name: string }) => kept.some((field) => field.name === name)
  const isEmptied = ({ name }: { name: string }) => emptied.some((field) => field.name === name)
  const { body, parameters } = whole
  const sent = body && 'fields' in body ? body.fields : parameters
  return {
    ...whole,
    key: `${whole.key}${halfMark(number)}`,
    parameters: parameters.map((one) => (isEmptied(one) ? { ...one, value: '' } : one)),
    body:
      body && 'fields' in body
        ? { ...body, fields: body.fields.map((one) => (isEmptied(one) ? { ...one, value: '' } : one)) }
        : body,
    fixed: sent.filter((one) => !isKept(one)).map(({ name }) => name),
  }
}

function withTokens(operation: Operation | null, form: Form): Operation | null {
  const tokens = form.fields
    .filter(({ name, type, value }) => type === 'hidden' && isFormToken(name, value))
    .map(({ name }) => name)
  return operation && tokens.length > 0 ? { ...operation, tokens } : operation
}

function valued({ name, type, value, options, hint }: FormField): Field {
  if (type === 'file') return { name, value: 'merlon', fileName: 'merlon.txt', mediaType: 'text/plain' }
  if (type === 'checkbox' || type === 'radio') return { name, value: value || 'on' }
  const schema: Pick<Field, 'schema'> = type === 'password' ? { schema: { type: 'string', format: 'password' } } : {}
  if (value !== '' || type === 'hidden') return { name, value, ...schema }
  if (options.length > 0) return { name, value: options.find((one) => one !== '') ?? '' }
  const format = {
    email: 'email',
    url: 'url',
    date: 'date',
    'datetime-local': 'date-time',
    password: 'password',
    time: 'time',
  }[type]
  const isMail = /e-?mail/i.test(hint) && NAMED_ANYHOW.test(name)
  const given = type === 'number' || type === 'range' ? '1' : valueByName(isMail ? 'email' : name, format ?? '')
  return { name, value: given, ...schema }
}
