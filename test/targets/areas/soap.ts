// A SOAP service of the shop, described by a WSDL: prices, parcels and invoices from XML bodies.
import { readFileSync } from 'node:fs'
import { fetched } from '../fetched.ts'
import { type Answer, type Area, type Call, escaped } from '../route.ts'
import { rows } from '../state.ts'

const xml = (body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
})

const envelope = (body: string, status = 200) =>
  xml(
    `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${body}</soap:Body></soap:Envelope>`,
    status,
  )
const fault = (message: string) =>
  envelope(
    `<soap:Fault><faultcode>soap:Server</faultcode><faultstring>${escaped(message)}</faultstring></soap:Fault>`,
    500,
  )

/** The text of an element, entities of the document's own type replaced where it `hasEntities`. */
async function field(call: Call, name: string, hasEntities = false): Promise<string> {
  const source = call.raw.toString()
  const content = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([\\s\\S]*?)</(?:\\w+:)?${name}>`).exec(source)?.[1] ?? ''
  let value = content
  if (hasEntities) {
    for (const [, entity = '', place = ''] of source.matchAll(/<!ENTITY\s+(\w+)\s+SYSTEM\s+["']([^"']+)["']\s*>/g)) {
      if (value.includes(`&${entity};`)) value = value.replaceAll(`&${entity};`, await outside(place))
    }
    for (const [, entity = '', text = ''] of source.matchAll(/<!ENTITY\s+(\w+)\s+["']([^"']*)["']\s*>/g)) {
      value = value.replaceAll(`&${entity};`, text)
    }
  }
  return value
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&')
}

async function outside(place: string): Promise<string> {
  try {
    if (place.startsWith('file:')) return readFileSync(new URL(place), 'utf8')
    return await fetched(place)
  } catch {
    return ''
  }
}

const actions: Record<string, (call: Call) => Promise<Answer>> = {
  GetPrice: async (call) => {
    const product = await field(call, 'product')
    try {
      const [row] = call.on('soap-sql')
        ? rows(call.state, `select price from products where name = '${product}'`)
        : rows(call.state, 'select price from products where name = ?', product)
      return envelope(`<GetPriceResponse xmlns="urn:shop"><price>${Number(row?.price ?? 0)}</price></GetPriceResponse>`)
    } catch (error) {
      return fault(error instanceof Error ? `SQLite error: ${error.message}` : 'failed')
    }
  },
  TrackParcel: async (call) => {
    const code = await field(call, 'code', call.on('soap-entities'))
    return envelope(
      `<TrackParcelResponse xmlns="urn:shop"><note>Nothing of ${escaped(code)}</note></TrackParcelResponse>`,
    )
  },
}

const message = (name: string) => `
  <message name="${name}Request"><part name="parameters" element="tns:${name}"/></message>
  <message name="${name}Response"><part name="parameters" element="tns:${name}Response"/></message>`

const port = (name: string) => `
    <operation name="${name}"><input message="tns:${name}Request"/><output message="tns:${name}Response"/></operation>`

const binding = (name: string) => `
    <operation name="${name}"><soap:operation soapAction="urn:shop#${name}"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>`

const element = (name: string, part: string) => `
  <xsd:element name="${name}"><xsd:complexType><xsd:sequence><xsd:element name="${part}" type="xsd:string"/></xsd:sequence></xsd:complexType></xsd:element>
  <xsd:element name="${name}Response"><xsd:complexType><xsd:sequence><xsd:element name="result" type="xsd:string"/></xsd:sequence></xsd:complexType></xsd:element>`

const wsdl = (
  base: string,
) => `<definitions name="Shop" targetNamespace="urn:shop" xmlns:tns="urn:shop" xmlns="http://schemas.xmlsoap.org/wsdl/"
  xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <types><xsd:schema targetNamespace="urn:shop" elementFormDefault="qualified">${element('GetPrice', 'product')}${element('TrackParcel', 'code')}</xsd:schema></types>
${message('GetPrice')}${message('TrackParcel')}
  <portType name="ShopPort">${port('GetPrice')}${port('TrackParcel')}
  </portType>
  <binding name="ShopBinding" type="tns:ShopPort"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>${binding('GetPrice')}${binding('TrackParcel')}
  </binding>
  <service name="Shop"><port name="ShopPort" binding="tns:ShopBinding"><soap:address location="${base}/soap"/></port></service></definitions>`

export const soap: Area = {
  flaws: [
    {
      id: 'soap-sql',
      cwe: 89,
      operation: 'POST /soap#GetPrice',
      parameter: 'product',
      shows: 'a quote makes SQLite complain',
    },
    {
      id: 'soap-entities',
      cwe: 611,
      operation: 'POST /soap#TrackParcel',
      parameter: 'code',
      shows: 'an entity of a file is replaced by its content',
    },
  ],
  routes: [
    { method: 'GET', path: '/soap', handle: ({ url }) => xml(wsdl(url.origin)) },
    {
      method: 'POST',
      path: '/soap',
      handle: (call) => {
        const body = call.raw.toString()
        const name = Object.keys(actions).find((action) => new RegExp(`<(?:\\w+:)?${action}[\\s>/]`).test(body))
        const action = name === undefined ? undefined : actions[name]
        return action?.(call) ?? fault('There is no such action')
      },
    },
  ],
}
