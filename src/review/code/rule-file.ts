// The format of rule files: one file for each rule, and one for the sources and sanitisers of each language.

import { z } from 'zod'

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const constant = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Of an argument by position or name, `'*'` any one of them, or of an assigned value under `value`. */
const condition = z.strictObject({
  arg: z.union([z.number(), z.string()]).optional(),
  /** a number that has one of these bits */
  bits: z.number().optional(),
  /** expression, upper and lower case alike, that a known text is to match */
  matches: z.string().optional(),
  equals: constant.optional(),
  /** holds unless the argument is this, or is not known; an argument that is absent is not this */
  not: constant.optional(),
  /** expression that one of its names, or of those in a list, is to match; none of its own for `unnamed` */
  named: z.string().optional(),
  unnamed: z.string().optional(),
  /** expression that the beginning of a text is to match, as far as it does not come from outside */
  starts: z.string().optional(),
  /** the conditions hold of what it holds under a key that ends so, `*.` in any of the things it holds; `arg: this` is the object of the call */
  item: z.string().optional(),
  /** what a function that is given does: answers `true`, or nothing at all */
  answers: z.enum(['true', 'nothing']).optional(),
  /** expression that no mark of a function may match */
  unmarked: z.string().optional(),
  /** takes every key of one object into another, by itself for what is within, and leaves none out */
  merges: z.literal(true).optional(),
  /** expression that one of the texts of a list, or the one text, is to match */
  holds: z.string().optional(),
  /** a text of at least this many characters that stands in the code */
  literal: z.number().optional(),
  /** given, but not a text or a number that stands in the code */
  unknown: z.boolean().optional(),
  /** what it holds stands in the code: it was made there */
  shown: z.boolean().optional(),
  /** all of it stands in the code: a text, a number, a list of such */
  known: z.boolean().optional(),
  /** made empty, and nothing was put into it or could fill it since */
  empty: z.boolean().optional(),
  absent: z.boolean().optional(),
  present: z.boolean().optional(),
})

export const sink = z.strictObject({
  call: names.optional(),
  /** calls that harm through the object they are called on */
  receiver: names.optional(),
  assign: names.optional(),
  /** what functions with such a mark return */
  returned: names.optional(),
  /** positions and names of what is harmful; the first by default, '*' all */
  args: z.array(z.union([z.number(), z.string()])).default([0]),
  /** only a text harms, no object */
  text: z.boolean().default(false),
  /** only all that was sent at once harms */
  whole: z.boolean().default(false),
  /** only what decides the beginning of the text harms: a host, a scheme */
  leading: z.boolean().default(false),
  /** writes the answer: no longer harms once the type of that is settled */
  answer: z.boolean().default(false),
  /** only makes ready what harms where it is used: a check that comes after it counts as well */
  preparing: z.boolean().default(false),
  /** whether what a caller gives harms as well, where the rule speaks of it */
  given: z.boolean().default(true),
  where: z.array(condition).default([]),
})

export const flaw = z.strictObject({
  call: names.optional(),
  assign: names.optional(),
  /** functions by name, by name and the types of their parameters, `verify:String:SSLSession`, or by a mark, `@exempt` */
  routine: names.optional(),
  where: z.array(condition).default([]),
})

export const ruleFile = z.strictObject({
  title: z.string(),
  cwe: z.union([z.number().transform((one) => [one]), z.array(z.number())]),
  severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  kind: z.string(),
  message: z.string(),
  fix: z.string(),
  sources: z.array(z.string()).default(['http']),
  /** expression that the text before a value must match where a caller in other code may have given the value */
  given: z.string().optional(),
  /** whether that holds as well of a name that nothing in the piece of code binds */
  unbound: z.boolean().default(false),
  /** expression that a piece of code matches in which such a value may harm; without it none is looked for */
  made: z.string().optional(),
  sinks: z.array(sink).default([]),
  flaws: z.array(flaw).default([]),
  sanitisers: z.array(z.string()).default([]),
  /**
   * what says in a condition where the program runs: below one that speaks of a place that is not production, the rule is
   * silent
   */
  unless: z.array(z.string()).default([]),
  /**
   * calls after which answers harm no more: the type of one that is no page. The last condition decides; where the others
   * hold and it does not, an earlier call counts no more.
   */
  settles: z.array(flaw).default([]),
  vulnerable: names,
  fixed: names,
})

/** What a function is given that is handed to such a call, set so, or known to a framework by its name. */
const listener = z.strictObject({
  label: z.string().default('http'),
  call: names.default([]),
  assign: names.optional(),
  /** expression that the first argument must match, where it says of what is heard */
  event: z.string().optional(),
  /** functions by their own name */
  routine: names.optional(),
  /** the name by which what is heard goes; it is then a whole, of which parts are read */
  named: z.string().optional(),
  /** the names by which what is given goes, by position, as sources know them; nothing else is said of it */
  given: z.array(z.string()).optional(),
})

export const languageFile = z.strictObject({
  /**
   * label → patterns: `a.b` a member, `a.b()` a call, `@Mark` a parameter with a mark, `fn@mark` all of a function's. First
   * parameters named so are a mark: `fn@event+context`.
   */
  sources: z.record(z.string(), z.array(z.string())),
  listeners: z.array(listener).default([]),
  /** types of parameters that a framework makes by itself, whatever marks the function */
  handed: z.array(z.string()).default([]),
  /** what says from whom the whole comes: where it was compared, all of that is checked */
  vouching: z.array(z.string()).default([]),
  /** what a function's outcome no longer harms → functions */
  sanitisers: z.record(z.string(), z.array(z.string())),
  /** functions whose outcome says nothing of what they were given */
  neutral: z.array(z.string()).default([]),
  /** what makes something of our own that usually goes by the name of what comes from outside: a request that is sent */
  ours: z.array(z.string()).default([]),
})

export type Condition = z.infer<typeof condition>
export type Sink = z.infer<typeof sink>
export type Flaw = z.infer<typeof flaw>
