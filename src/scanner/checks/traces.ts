// Recognises stack traces and fault pages of languages and frameworks.

const STACKS: readonly RegExp[] = [
  /Traceback \(most recent call last\)/,
  /\n\s{2,8}at [\w$.<>[\] ]{1,120} ?\(?(?:\/|[A-Z]:\\|node:|file:)[^\s()]{1,200}:\d{1,6}:\d{1,6}\)?/,
  /"stack(?:trace)?"\s{0,3}:\s{0,3}(?:\[\s{0,10}\{|\[\s{0,10}"|")[^"]{0,300}(?:\\n|\s)\s{0,8}(at |File )/i,
  /(?:<br>| &nbsp;|&#10;|^|\n)\s{0,8}(?:&nbsp;){0,8}\s{0,4}at [\w$.<>&; ]{1,120}\((?:\/|file:|node:)[^)<]{1,200}:\d{1,6}:\d{1,6}\)/,
  /^\s{1,8}at [\w$.]{3,200}\([\w$]{1,80}\.java:\d{1,6}\)/m,
  /<b>(?:Warning|Fatal error|Notice|Parse error|Deprecated)<\/b>:\s.{1,300}? in <b>/,
  /(?:PHP )?(?:Warning|Fatal error|Parse error|Notice): .{1,300}? in \/[\w./-]{1,200} on line \d{1,6}/,
  /\.rb:\d{1,6}:in [`'][^'\n]{1,100}'/,
  /goroutine \d{1,9} \[running\]:/,
  /System\.\w{1,40}Exception: .{1,200}\n\s{1,8}at /,
  /Werkzeug Debugger|<title>[^<]{0,100}(?:Django|Whoops!|Symfony Exception|Error.{0,20}Laravel)/,
  /You're seeing this error because you have <code>DEBUG = True<\/code>/,
]

/** A debugger page without a fault, which is reported as a console. */
const CONSOLE = /<title>[^<]{0,20}Console \/\/ Werkzeug Debugger/

/** Texts within JSON, with escaped line ends and tabs decoded. */
const spelledOut = (text: string): string =>
  /^\s*[[{]/.test(text) ? text.replace(/(?:\\r)?\\n/g, '\n').replace(/\\t/g, '\t') : text

/** The text that shows a stack trace, and its kind. */
export function traceIn(text: string): { proof: string; form: number } | null {
  if (CONSOLE.test(text.slice(0, 2_000))) return null
  const spelled = spelledOut(text)
  const form = STACKS.findIndex((pattern) => pattern.test(spelled))
  const proof = STACKS[form]?.exec(spelled)?.[0].slice(0, 200)
  return proof === undefined ? null : { proof: proof.trim(), form }
}
