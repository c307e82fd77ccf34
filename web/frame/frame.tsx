// The frame around every page: the sections, the choice of company, the theme, and the signed-in user.

import { ChevronsUpDown, CircleHelp, CircleUser, LogOut, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, Outlet, useLocation, useNavigate, useNavigation } from 'react-router'
import { useAsk } from '../api/ask.ts'
import { graphql } from '../api/graphql.ts'
import { signOut, useSession } from '../api/session.ts'
import { useFindCompanies } from '../choices/companies.ts'
import { Awaited } from '../ui/answered.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { lateDialog } from '../ui/late.tsx'
import { LateChoice } from '../ui/late-choice.tsx'
import { Menu, MenuGroup, MenuItem, MenuLine, MenuOneOf } from '../ui/menu.tsx'
import { useKeys } from '../util/keys.ts'
import { noteCompany } from '../util/last-visit.ts'
import { to } from '../util/path-builder.ts'
import { chooseTheme, type Theme, useTheme } from '../util/theme.ts'
import { useCompanyId } from './company.ts'
import styles from './frame.module.css'
import { useKeptFocus } from './kept-focus.ts'
import { CountLink, type CountsOfSections, useRailCounts } from './rail-counts.tsx'
import { isIn, sections } from './sections.ts'

const Palette = lateDialog(() => import('./palette.tsx'))
const KeyHelp = lateDialog(() => import('./key-help.tsx'))

const Company = graphql(`
  query Company($id: ID!) {
    company(id: $id) { id label }
  }
`)

export function Frame() {
  const companyId = useCompanyId()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteKey(() => setPaletteOpen(true))
  useKeys({ '?': () => setHelpOpen(true) })
  useKeptFocus()
  useEffect(() => noteCompany(companyId), [companyId])
  const counts = useRailCounts(companyId)
  const isMoving = useNavigation().state !== 'idle'
  const { pathname } = useLocation()
  const sectionList = useRef<HTMLElement>(null)
  // on a phone the sections are a strip that scrolls, and the current one may be outside its visible part
  useEffect(() => {
    if (pathname === '') return
    sectionList.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [pathname])
  return (
    <div className={styles.frame}>
      <a href="#page" className={styles.skip}>
        Skip to content
      </a>
      <div className={styles.rail}>
        <CompanySwitcher companyId={companyId} />
        <Button tone="quiet" size="small" onClick={() => setPaletteOpen(true)}>
          <Search size={14} aria-hidden />
          <span className={styles.search}>
            Search <kbd>Ctrl K</kbd>
          </span>
        </Button>
        <nav ref={sectionList} aria-label="Sections" className={styles.sections}>
          {sections(companyId).map((section) => (
            <div key={section.path} className={styles.place}>
              <Link
                to={section.path}
                className={styles.section}
                aria-current={isIn(section, pathname) ? 'page' : undefined}
              >
                <section.icon size={16} aria-hidden />
                <span>{section.name}</span>
              </Link>
              <CountOf section={section.name} in={counts} />
            </div>
          ))}
        </nav>
        <div className={styles.foot}>
          <You />
          <IconButton name="Keyboard shortcuts" size="small" onClick={() => setHelpOpen(true)}>
            <CircleHelp size={16} aria-hidden />
          </IconButton>
        </div>
      </div>
      <main id="page" tabIndex={-1} className={styles.page} aria-busy={isMoving || undefined}>
        <Suspense fallback={<Awaited lines={8} />}>
          <Outlet />
        </Suspense>
      </main>
      {isPaletteOpen && <Palette companyId={companyId} onClose={() => setPaletteOpen(false)} />}
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function CountOf({ section, in: counts }: { section: string; in: CountsOfSections }) {
  const found = section === 'Findings' || section === 'Scans' ? counts[section] : undefined
  return found && <CountLink of={found} />
}

/** Active while somebody types as well: unlike single letters, this combination types nothing. */
function usePaletteKey(open: () => void): void {
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function CompanySwitcher({ companyId }: { companyId: string }) {
  const navigate = useNavigate()
  const find = useFindCompanies()
  const { data } = useAsk(Company, { id: companyId }, { affectedBy: ['Company'] })
  const label = data?.company.label ?? `Company ${companyId}`
  return (
    <div className={styles.company}>
      <LateChoice
        kind="one"
        find={find}
        what="companies"
        chosen={[{ id: companyId, name: label }]}
        onChange={([company]) => company && navigate(to.overview({ companyId: company.id }))}
        trigger={
          <Button tone="quiet" aria-label={`Company: ${label}`}>
            <span className="cut">{label}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </Button>
        }
      />
    </div>
  )
}

const themeOptions = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[]

function You() {
  const { session } = useSession()
  const theme = useTheme()
  if (!session) return null
  const trigger = (
    <Button tone="quiet" size="small" aria-label={`Account: ${session.name}`}>
      <CircleUser size={16} aria-hidden />
      <span className="cut">{session.name}</span>
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuGroup label={session.email}>
        <MenuItem onSelect={() => void signOut()}>
          <LogOut size={14} aria-hidden />
          Sign out
        </MenuItem>
      </MenuGroup>
      <MenuLine />
      <MenuGroup label="Appearance">
        <MenuOneOf value={theme} onChange={chooseTheme} options={themeOptions} />
      </MenuGroup>
    </Menu>
  )
}
