// How the API explorer looks: the console's fonts, colours and head, and a layout that leaves room for answers on a phone.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const fontIn = (manifest: string, family: string) => join(dirname(manifest), `files/${family}-latin-wght-normal.woff2`)
const inter = fontIn(require.resolve('@fontsource-variable/inter/package.json'), 'inter')
const jetBrainsMono = fontIn(require.resolve('@fontsource-variable/jetbrains-mono/package.json'), 'jetbrains-mono')

/** The files of the console that the explorer is drawn with. */
export const lookFiles = {
  'tokens.css': { path: fileURLToPath(new URL('../../web/styles/tokens.css', import.meta.url)), type: 'text/css' },
  'words.woff2': { path: inter, type: 'font/woff2' },
  'code.woff2': { path: jetBrainsMono, type: 'font/woff2' },
}

/** GraphiQL repeats its variables for what floats above its container. */
const everywhere = [
  '.graphiql-container',
  '.CodeMirror-info',
  '.CodeMirror-lint-tooltip',
  '.CodeMirror-hints',
  '.graphiql-dialog',
  '.graphiql-dialog-overlay',
  '.graphiql-tooltip',
  '[data-radix-popper-content-wrapper]',
]

const face = (family: string, file: string) =>
  `@font-face { font-family: "${family}"; src: url(/graphiql/${file}) format("woff2"); font-weight: 100 900; font-display: swap }`

/** The colours stand in variables that the script below computes. Texts in second place are as dark as WCAG 2.2, 1.4.3, asks. */
export const style = `${face('Inter Variable', 'words.woff2')}
${face('JetBrains Mono Variable', 'code.woff2')}
body { display: flex; flex-direction: column; height: 100dvh; margin: 0; background: var(--canvas); color: var(--text); font: 400 var(--size-14)/1.45 var(--words) }
header { display: flex; align-items: baseline; gap: 12px; padding: 10px var(--margin) }
header a { color: var(--muted); text-decoration: none }
header a:hover { text-decoration: underline }
header a:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px }
header a::after { margin-left: 12px; color: var(--muted); content: "/" / "" }
h1 { margin: 0; font-size: var(--size-20); font-weight: 600; line-height: 1.3 }
main { flex: 1; min-height: 0; border-top: 1px solid var(--line) }
#graphiql { height: 100% }
:root body :is(${everywhere.join(', ')}) {
  --font-family: var(--words); --font-family-mono: var(--code); --font-size-body: var(--size-14); --font-size-hint: var(--size-12);
  --font-size-inline-code: var(--size-13); --font-size-h4: var(--size-14); --font-size-h3: var(--size-16); --font-size-h2: var(--size-20);
  --border-radius-8: var(--radius); --border-radius-12: var(--radius); --popover-box-shadow: var(--shadow); --popover-border: 1px solid var(--line);
  --alpha-secondary: .8; --alpha-tertiary: .72
}
.graphiql-container .CodeMirror { font-size: var(--size-13) }
.graphiql-container .graphiql-editors { box-shadow: none; border: 1px solid var(--line) }
.graphiql-container .graphiql-sessions { margin: 8px 8px 8px 0 }
.graphiql-container .graphiql-logo { display: none }
button.graphiql-execute-button > svg { color: var(--on-accent) }
@media (max-width: 720px) {
  header { padding: 6px var(--margin) }
  header a { white-space: nowrap }
  .graphiql-container, .graphiql-container .graphiql-main, .graphiql-container .graphiql-session { flex-direction: column }
  .graphiql-container .graphiql-main { min-height: 0; flex: 1 }
  .graphiql-container .graphiql-sidebar { flex-direction: row; width: auto; padding: 0 8px }
  .graphiql-container .graphiql-sidebar .graphiql-sidebar-section { flex-direction: row }
  .graphiql-container .graphiql-sidebar button, .graphiql-container .graphiql-sidebar button:not(:first-child) { width: 36px; height: 36px; margin: 0 }
  .graphiql-container .graphiql-sessions { margin: 0; border-radius: 0; min-height: 0 }
  .graphiql-container .graphiql-session { min-height: 0; gap: 8px }
  .graphiql-container .graphiql-session > * { min-height: 0 }
  .graphiql-container .graphiql-query-editor { padding: 8px; column-gap: 8px }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none }
  .graphiql-tabs { padding: 4px 8px }
  .graphiql-dialog { max-width: 96vw }
}`

/** What GraphiQL calls a colour, and the console's token for it. */
const tokens = {
  base: 'surface',
  neutral: 'text',
  primary: 'accent',
  secondary: 'high',
  tertiary: 'accent-strong',
  info: 'low',
  success: 'good',
  warning: 'medium',
  error: 'bad',
}

/**
 * GraphiQL mixes its colours from hue, saturation and lightness, which a browser tells of no colour: each token is
 * drawn and read back, now and whenever the system's theme changes. The theme is the one chosen in the console.
 */
export const lookScript = `const tokens = ${JSON.stringify(tokens)}
const theme = ['light', 'dark'].find((one) => one === localStorage.getItem('merlon.theme'))
if (theme) document.documentElement.dataset.theme = theme
const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
const probe = document.head.appendChild(document.createElement('i'))
const partsOf = (token) => {
  probe.style.color = 'var(--' + token + ')'
  pixel.fillStyle = getComputedStyle(probe).color
  pixel.fillRect(0, 0, 1, 1)
  const [red, green, blue] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const [range, light] = [most - least, (most + least) / 2]
  const turn = range === 0 ? 0 : most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * light - 1))
  return [((turn * 60 + 360) % 360).toFixed(2), (saturation * 100).toFixed(2) + '%', (light * 100).toFixed(2) + '%'].join(',')
}
const rules = document.head.appendChild(document.createElement('style'))
const colour = () => {
  const parts = Object.entries(tokens).map(([name, token]) => '--color-' + name + ':' + partsOf(token))
  rules.textContent = ':root body :is(${everywhere.join(', ')}) {' + parts.join(';') + '}'
}
colour()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', colour)
`
