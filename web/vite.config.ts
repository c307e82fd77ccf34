// How the console is built: no inlined asset, because the content security policy takes files of ours alone.

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Of Base UI what waits for a press: a page that shows itself has no need of it yet. */
const late =
  /\/(?:combobox|composite|dialog|menu|popover|FloatingFocusManager|markOthers|useListNavigation|useScrollLock|useTypeahead)\b/

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  plugins: [react()],
  build: {
    assetsDir: 'console',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What nearly every page loads of it is smaller as one file than as the many that are shared by some.
          groups: [
            { name: 'floating', test: (id) => /@base-ui|floating-ui/.test(id) && !late.test(id), minShareCount: 16 },
          ],
        },
      },
    },
  },
  // `npm run dev:web` beside `npm start`: the page comes from Vite, its answers from the service.
  server: {
    proxy: Object.fromEntries(
      ['/graphql', '/session', '/deploys', '/attachments', '/exports'].map((path) => [
        path,
        { target: process.env.MERLON_URL ?? 'http://127.0.0.1:4000' },
      ]),
    ),
  },
})
