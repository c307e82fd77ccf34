// The list of modules: one line adds one.

import { tasks as accessTasks } from './access/jobs.ts'
import { resolvers as access } from './access/resolvers.ts'
import { resolvers as assets } from './assets/resolvers.ts'
import { resolvers as companies } from './companies/resolvers.ts'
import { issueResolvers } from './issues/all-resolvers.ts'
import { resolvers as tickets } from './tickets/resolvers.ts'
import type { Module } from './types.ts'

export const modules: readonly Module[] = [
  { name: 'access', resolvers: access, tasks: accessTasks },
  { name: 'companies', resolvers: companies },
  { name: 'assets', resolvers: assets },
  { name: 'issues', resolvers: issueResolvers },
  { name: 'tickets', resolvers: tickets },
]
