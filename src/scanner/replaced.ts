// An operation with other values in some of its places: what it is sent with from then on, and what checks start from.

import { changeJson, isObject } from './json-leaves.ts'
import type { Body, Change, Field, Operation, Point } from './types.ts'
import { changeXml } from './xml-leaves.ts'

export function replaced(operation: Operation, changes: readonly Change[]): Operation {
  if (changes.length === 0) return operation
  const parameters = operation.parameters.map((parameter) => {
    const change = changes.find(({ point }) => point.place === parameter.place && point.name === parameter.name)
    return change ? { ...parameter, value: asText(change) } : parameter
  })
  return { ...operation, parameters, body: replacedBody(operation.body, changes) }
}

function replacedBody(body: Body | null, changes: readonly Change[]): Body | null {
  const at = (...places: readonly Point['place'][]) => changes.filter(({ point }) => places.includes(point.place))
  switch (body?.type) {
    case 'json':
      return { ...body, value: changeJson(body.value, at('json')) }
    case 'graphql': {
      const variables = changeJson(body.variables, at('variable'))
      return isObject(variables) ? { ...body, variables } : body
    }
    case 'form':
      return { ...body, fields: replacedFields(body.fields, at('form')) }
    case 'multipart':
      return { ...body, fields: replacedFields(body.fields, at('multipart', 'file')) }
    case 'xml':
      return { ...body, text: changeXml(body.text, at('xml')) }
    default:
      return body
  }
}

const replacedFields = (fields: readonly Field[], changes: readonly Change[]): Field[] =>
  fields.map((field) => {
    const change = changes.find(({ point }) => point.name === field.name)
    return change ? { ...field, value: asText(change) } : field
  })

const asText = ({ value }: Change): string => (typeof value === 'string' ? value : JSON.stringify(value))
