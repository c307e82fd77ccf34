// The routes of the console: one line a page, each loaded when it is first visited.

import { Outlet, type RouteObject } from 'react-router'
import { Broken, NotHere } from './frame/broken.tsx'
import { Frame } from './frame/frame.tsx'

export const routes: RouteObject[] = [
  {
    element: <Outlet />,
    errorElement: (
      <main>
        <Broken />
      </main>
    ),
    hydrateFallbackElement: <></>,
    children: [
      { path: '/', lazy: () => import('./pages/start.tsx') },
      { path: '/consent', lazy: () => import('./pages/integrations/consent.tsx') },
      {
        path: '/companies/:companyId',
        element: <Frame />,
        children: [
          {
            errorElement: <Broken />,
            children: [
              { index: true, lazy: () => import('./pages/company.tsx') },
              {
                path: 'findings',
                lazy: () => import('./pages/findings/list.tsx'),
                children: [{ path: ':issueId', lazy: () => import('./pages/findings/panel.tsx') }],
              },
              { path: 'overview', lazy: () => import('./pages/overview/overview.tsx') },
              { path: 'changes', lazy: () => import('./pages/overview/changes.tsx') },
              { path: 'deploys', lazy: () => import('./pages/deploys/list.tsx') },
              { path: 'deploys/:deployId', lazy: () => import('./pages/deploys/deploy.tsx') },
              { path: 'assets', lazy: () => import('./pages/assets/list.tsx') },
              { path: 'assets/:assetId', lazy: () => import('./pages/assets/asset.tsx') },
              { path: 'applications', lazy: () => import('./pages/applications/list.tsx') },
              { path: 'imports/:importId', lazy: () => import('./pages/assets/import.tsx') },
              { path: 'scans', lazy: () => import('./pages/scans/list.tsx') },
              {
                path: 'requirements',
                lazy: () => import('./pages/requirements/list.tsx'),
                children: [{ path: ':requirementId', lazy: () => import('./pages/requirements/panel.tsx') }],
              },
              { path: 'requirements/threat-models', lazy: () => import('./pages/threat-models/list.tsx') },
              { path: 'requirements/threat-models/:artifactId', lazy: () => import('./pages/threat-models/model.tsx') },
              { path: 'projects', lazy: () => import('./pages/projects/list.tsx') },
              { path: 'projects/:projectId', lazy: () => import('./pages/projects/project.tsx') },
              { path: 'tickets', lazy: () => import('./pages/tickets/list.tsx') },
              { path: 'tickets/:ticketId', lazy: () => import('./pages/tickets/ticket.tsx') },
              { path: 'integrations', lazy: () => import('./pages/integrations/list.tsx') },
              { path: 'attachments', lazy: () => import('./pages/attachments/list.tsx') },
              { path: 'secrets', lazy: () => import('./pages/secrets/list.tsx') },
              { path: 'seals', lazy: () => import('./pages/seals/list.tsx') },
              { path: 'certificates', lazy: () => import('./pages/certificates/list.tsx') },
              { path: 'settings', lazy: () => import('./pages/settings/settings.tsx') },
              { path: 'settings/company', lazy: () => import('./pages/settings/company.tsx') },
              { path: 'settings/users', lazy: () => import('./pages/settings/users.tsx') },
              { path: 'settings/policies', lazy: () => import('./pages/settings/policies.tsx') },
              { path: 'settings/identity', lazy: () => import('./pages/settings/identity.tsx') },
              { path: 'settings/notifications', lazy: () => import('./pages/settings/notifications.tsx') },
              { path: 'settings/webhooks', lazy: () => import('./pages/settings/webhooks.tsx') },
              { path: 'settings/audit', lazy: () => import('./pages/settings/audit.tsx') },
              { path: 'settings/jobs', lazy: () => import('./pages/settings/jobs.tsx') },
              { path: 'settings/limits', lazy: () => import('./pages/settings/limits.tsx') },
              { path: 'settings/keys', lazy: () => import('./pages/settings/keys.tsx') },
              { path: '*', element: <NotHere /> },
            ],
          },
        ],
      },
    ],
  },
]
