// Versions of Python packages (PEP 440, "Summary of permitted suffixes and relative ordering").

import { type Compare, compareDigits, compareLists, compareText, type Order } from './order.ts'

const FORM =
  /^v?(?:(\d{1,20})!)?(\d{1,50}(?:\.\d{1,50}){0,30})(?:[-_.]?(a|alpha|b|beta|c|rc|pre|preview)[-_.]?(\d{0,50}))?(?:-(\d{1,50})|[-_.]?(post|rev|r)[-_.]?(\d{0,50}))?(?:[-_.]?(dev)[-_.]?(\d{0,50}))?(?:\+([a-z0-9]{1,50}(?:[-_.][a-z0-9]{1,50}){0,30}))?$/

type Version = {
  epoch: string
  release: string[]
  /** of a pre-release its phase and number; `~` comes after all phases, ` ` before all */
  phase: string
  phaseNumber: string
  post: string | null
  dev: string | null
  local: string[]
}

const phases: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', c: 'rc', pre: 'rc', preview: 'rc' }

function read(text: string): Version | null {
  const parts = FORM.exec(text.trim().toLowerCase())
  if (!parts) return null
  const [, epoch = '0', release = '', pre, preNumber, implicitPost, post, postNumber, dev, devNumber, local] = parts
  const postOf = implicitPost ?? (post === undefined ? null : postNumber || '0')
  const devOf = dev === undefined ? null : devNumber || '0'
  const isDevOfRelease = pre === undefined && postOf === null && devOf !== null
  return {
    epoch,
    release: release.split('.'),
    phase: pre === undefined ? (isDevOfRelease ? ' ' : '~') : (phases[pre] ?? pre),
    phaseNumber: preNumber || '0',
    post: postOf,
    dev: devOf,
    local: local?.split(/[-_.]/) ?? [],
  }
}

/** `whenNone` is where a version without the part stands: before those with it, or after. */
function compareOptional(left: string | null, right: string | null, whenNone: 'BEFORE' | 'AFTER'): Order {
  if (left !== null && right !== null) return compareDigits(left, right)
  if (left === right) return 0
  const isFirst = (left === null) === (whenNone === 'BEFORE')
  return isFirst ? -1 : 1
}

function compareLocal(left: string, right: string): Order {
  if (left === '' || right === '') return left === right ? 0 : left === '' ? -1 : 1
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1
  return isNumber ? compareDigits(left, right) : compareText(left, right)
}

export const comparePython: Compare = (left, right) => {
  const [one, other] = [read(left), read(right)]
  if (one === null || other === null) return null
  return (
    compareDigits(one.epoch, other.epoch) ||
    compareLists(one.release, other.release, '0', compareDigits) ||
    compareText(one.phase, other.phase) ||
    compareDigits(one.phaseNumber, other.phaseNumber) ||
    compareOptional(one.post, other.post, 'BEFORE') ||
    compareOptional(one.dev, other.dev, 'AFTER') ||
    compareLists(one.local, other.local, '', compareLocal)
  )
}
