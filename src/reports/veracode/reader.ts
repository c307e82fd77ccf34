// Reads Veracode's detailed report, XML: flaws of the static and the dynamic analysis, and vulnerable components.

import type { ReportReader, ReportSource, Row } from '../types.ts'
import { paragraphs, text } from '../values.ts'
import { type GivenElement, xmlRows } from '../xml-rows.ts'
import { childrenOf, type Element } from '../xml-walk.ts'
import { componentRows, flawRow } from './findings.ts'

export const veracode: ReportReader = {
  format: 'veracode',
  label: 'Veracode detailed report',
  // The address of the schema may be written with entities.
  recognises: ({ text: head }) => /<detailedreport\s[^>]{0,4000}(?:veracode|report_format_version=)/.test(head),
  read,
}

const CATEGORY = 'detailedreport/severity/category'
const ADVICE = `${CATEGORY}/recommendations`
const flaws = ['staticflaws', 'dynamicflaws', 'manualflaws'].map((kind) => `${CATEGORY}/cwe/${kind}/flaw`)
const COMPONENT = 'detailedreport/software_composition_analysis/vulnerable_components/component'

async function* read(source: ReportSource): AsyncGenerator<Row> {
  let advice: string | undefined
  yield* xmlRows(source, [ADVICE, ...flaws, COMPONENT], (given): Iterable<Row> => {
    if (given.path === ADVICE) {
      advice = wordsOf(given.element)
      return []
    }
    return given.path === COMPONENT ? componentRows(given) : [flawRow(given, advice, appOf(given))]
  })
}

/** Flaws are numbered within an application. */
const appOf = ({ ancestors }: GivenElement): string => ancestors[0]?.attributes.app_id ?? ''

const wordsOf = (element: Element): string | undefined =>
  paragraphs(
    ...childrenOf(element, 'para').flatMap((para) => [
      text(para.attributes.text),
      ...childrenOf(para, 'bulletitem').map((item) => text(item.attributes.text)),
    ]),
  )
