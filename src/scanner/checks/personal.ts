// Recognises personal data by the name of a field and by its value.

import type { Known } from './ownership.ts'

const fields: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(user|contact|private|personal)?e?mail(address)?$/, /^[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,}$/i],
  [/^(home|mobile|cell|contact|private)?(phone|mobile|telephone|tel|cell)(number|no)?$/, /^[+\d(][\d\s()./-]{5,25}$/],
  [
    /^(home|private|billing|shipping|postal|delivery)?(street)?address(line)?1?$|^street$/,
    // that of a site, a machine or a wallet is one word
    /^(?=.{0,200}?[a-z]{3})(?=.{0,200}?\d).{0,200}?\s/is,
  ],
  [/^(dob|birth(day|date)|dateofbirth)$/, /\d{4}/],
  [/^(ssn|socialsecurity(number)?|nationalid|passport(number)?|taxid|iban|creditcard(number)?|cardnumber)$/, /\d{3}/],
  [/^(balance|accountbalance|salary|income)$/, /^-?\d/],
]

export const isPersonal = ({ name, value }: Pick<Known, 'name' | 'value'>): boolean =>
  fields.some(([ofName, ofValue]) => ofName.test(name) && ofValue.test(value))
