// The sections of the navigation, in the order in which a working day needs them.

import {
  Award,
  BadgeCheck,
  Boxes,
  FolderKanban,
  GitCommitHorizontal,
  KeyRound,
  LayoutDashboard,
  List,
  ListChecks,
  type LucideIcon,
  Paperclip,
  Plug,
  Radar,
  Settings,
  Ticket,
} from 'lucide-react'
import { to } from '../util/path-builder.ts'

type Section = {
  name: string
  path: string
  icon: LucideIcon
  /** Where the addresses of its other pages begin, which do not lie below `path`. */
  others?: readonly string[]
}

export const sections = (companyId: string): Section[] => [
  {
    name: 'Overview',
    path: to.overview({ companyId }),
    icon: LayoutDashboard,
    others: [to.changes({ companyId })],
  },
  { name: 'Findings', path: to.findings({ companyId }), icon: List },
  { name: 'Deploys', path: to.deploys({ companyId }), icon: GitCommitHorizontal },
  {
    name: 'Assets',
    path: to.assets({ companyId }),
    icon: Boxes,
    others: [to.applications({ companyId }), to.imports({ companyId })],
  },
  { name: 'Projects', path: to.projects({ companyId }), icon: FolderKanban },
  { name: 'Scans', path: to.scans({ companyId }), icon: Radar },
  { name: 'Requirements', path: to.requirements({ companyId }), icon: ListChecks },
  { name: 'Tickets', path: to.tickets({ companyId }), icon: Ticket },
  { name: 'Integrations', path: to.integrations({ companyId }), icon: Plug },
  { name: 'Attachments', path: to.attachments({ companyId }), icon: Paperclip },
  { name: 'Secrets', path: to.secrets({ companyId }), icon: KeyRound },
  { name: 'Seals', path: to.seals({ companyId }), icon: Award },
  { name: 'Certificates', path: to.certificates({ companyId }), icon: BadgeCheck },
  { name: 'Settings', path: to.settings({ companyId }), icon: Settings },
]

/** Whether a page belongs to a section. */
export const isIn = ({ path, others = [] }: Section, pathname: string): boolean =>
  [path, ...others].some((start) => pathname === start || pathname.startsWith(`${start}/`))
