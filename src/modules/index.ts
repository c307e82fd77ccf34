// The list of modules; adding one takes one line here.

import { tasks as accessTasks } from './access/jobs.ts'
import { resolvers as access } from './access/resolvers.ts'
import { tasks as advisoryTasks } from './advisories/jobs.ts'
import { resolvers as assets } from './assets/resolvers.ts'
import { resolvers as attachments } from './attachments/resolvers.ts'
import { routes as attachmentRoutes } from './attachments/routes.ts'
import { resolvers as certificates } from './certificates/resolvers.ts'
import { resolvers as companies } from './companies/resolvers.ts'
import { tasks as decisionTasks } from './decisions/jobs.ts'
import { resolvers as decisions } from './decisions/resolvers.ts'
import { readArrivingDiff } from './deploys/arriving.ts'
import { resolvers as deploys } from './deploys/resolvers.ts'
import { routes as deployRoutes } from './deploys/routes.ts'
import { tasks as dynamicScanTasks } from './dynamic-scans/jobs.ts'
import { resolvers as dynamicScans } from './dynamic-scans/resolvers.ts'
import { tasks as eventTasks } from './events/jobs.ts'
import { resolvers as events } from './events/resolvers.ts'
import { tasks as exportTasks } from './exports/jobs.ts'
import { resolvers as exports } from './exports/resolvers.ts'
import { routes as exportRoutes } from './exports/routes.ts'
import { tasks as gateTasks } from './gates/jobs.ts'
import { resolvers as gates } from './gates/resolvers.ts'
import { tasks as importTasks } from './imports/jobs.ts'
import { resolvers as imports } from './imports/resolvers.ts'
import { resolvers as integrations } from './integrations/resolvers.ts'
import { issueResolvers } from './issues/all-resolvers.ts'
import { tasks as issueTasks } from './issues/jobs.ts'
import { resolvers as jobs } from './jobs/resolvers.ts'
import { resolvers as limits } from './limits/resolvers.ts'
import { resolvers as projects } from './projects/resolvers.ts'
import { tasks as pullTasks } from './pulls/jobs.ts'
import { resolvers as pulls } from './pulls/resolvers.ts'
import { resolvers as requirements } from './requirements/resolvers.ts'
import { routes as requirementRoutes } from './requirements/routes.ts'
import { tasks as reviewTasks } from './reviews/jobs.ts'
import { resolvers as reviews } from './reviews/resolvers.ts'
import { resolvers as scans } from './scans/resolvers.ts'
import { tasks as scoringTasks } from './scoring/jobs.ts'
import { resolvers as scoring } from './scoring/resolvers.ts'
import { resolvers as seals } from './seals/resolvers.ts'
import { routes as sealRoutes } from './seals/routes.ts'
import { resolvers as secrets } from './secrets/resolvers.ts'
import { tasks as sourceTasks } from './sources/jobs.ts'
import { receivers as sourceReceivers } from './sources/receive.ts'
import { resolvers as sources } from './sources/resolvers.ts'
import { tasks as statisticsTasks } from './statistics/jobs.ts'
import { resolvers as statistics } from './statistics/resolvers.ts'
import { tasks as syncTasks } from './sync/jobs.ts'
import { resolvers as sync } from './sync/resolvers.ts'
import { resolvers as threatModels } from './threat-models/resolvers.ts'
import { resolvers as tickets } from './tickets/resolvers.ts'
import { routes as ticketRoutes } from './tickets/routes.ts'
import type { Module } from './types.ts'
import { resolvers as views } from './views/resolvers.ts'

export const modules: readonly Module[] = [
  { name: 'access', resolvers: access, tasks: accessTasks },
  { name: 'companies', resolvers: companies },
  { name: 'assets', resolvers: assets },
  { name: 'projects', resolvers: projects },
  { name: 'issues', resolvers: issueResolvers, tasks: issueTasks },
  { name: 'decisions', resolvers: decisions, tasks: decisionTasks },
  { name: 'deploys', resolvers: deploys, routes: deployRoutes, openReading: readArrivingDiff },
  { name: 'gates', resolvers: gates, tasks: gateTasks },
  { name: 'attachments', resolvers: attachments, routes: attachmentRoutes },
  { name: 'requirements', resolvers: requirements, routes: requirementRoutes },
  { name: 'threat-models', resolvers: threatModels },
  { name: 'scans', resolvers: scans },
  { name: 'scoring', resolvers: scoring, tasks: scoringTasks },
  { name: 'imports', resolvers: imports, tasks: importTasks },
  { name: 'dynamic-scans', resolvers: dynamicScans, tasks: dynamicScanTasks },
  { name: 'advisories', resolvers: {}, tasks: advisoryTasks },
  { name: 'reviews', resolvers: reviews, tasks: reviewTasks },
  { name: 'exports', resolvers: exports, routes: exportRoutes, tasks: exportTasks },
  { name: 'statistics', resolvers: statistics, tasks: statisticsTasks },
  { name: 'tickets', resolvers: tickets, routes: ticketRoutes },
  { name: 'integrations', resolvers: integrations },
  { name: 'sync', resolvers: sync, tasks: syncTasks },
  { name: 'sources', resolvers: sources, tasks: sourceTasks, receivers: sourceReceivers },
  { name: 'pulls', resolvers: pulls, tasks: pullTasks },
  { name: 'certificates', resolvers: certificates },
  { name: 'secrets', resolvers: secrets },
  { name: 'seals', resolvers: seals, routes: sealRoutes },
  { name: 'events', resolvers: events, tasks: eventTasks },
  { name: 'jobs', resolvers: jobs },
  { name: 'limits', resolvers: limits },
  { name: 'views', resolvers: views },
]
