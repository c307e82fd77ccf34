// Builds the console before its tests, unless the existing build is of the current sources.

import { buildConsole } from '../../bin/console.mjs'

export default async function setup(): Promise<void> {
  if (!(await buildConsole())) throw new Error('The console could not be built')
}
