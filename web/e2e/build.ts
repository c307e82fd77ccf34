// Builds the console before its stories are told, where it is not built from the sources that are here.

import { buildConsole } from '../../bin/console.mjs'

export default async function setup(): Promise<void> {
  if (!(await buildConsole())) throw new Error('The console could not be built')
}
