import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Place, useLeaveGuard } from '../../ui/form/use-draft.ts'
import styles from './backoffice.module.css'
import { readBackofficePlace, type StackedTool, stackedTools } from './backoffice-parts.ts'
import { ChangeStatus } from './change-status.tsx'
import { CreateEvent } from './create-event.tsx'
import { DeleteUnsubscriptions } from './deletions/delete-unsubscriptions.tsx'
import { InsertLog } from './insert-log.tsx'

/** All parts share one path, and all tools one part. */
function isOtherPart(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || readBackofficePlace(next.search.tool).part !== 'tools'
}

/** The four tools of document 2 on one page. `tool` is the one that the address names. */
export function StackedTools({ tool }: { tool: StackedTool | null }) {
  const [unsaved, setUnsaved] = useState<ReadonlySet<StackedTool>>(new Set())
  useLeaveGuard(unsaved.size > 0, isOtherPart)
  const noteUnsaved = (of: StackedTool) => (hasUnsaved: boolean) =>
    setUnsaved((known) => new Set([...known, of].filter((each) => each !== of || hasUnsaved)))
  useEffect(() => {
    const place = tool === null ? null : document.getElementById(tool)
    place?.scrollIntoView({ block: 'start' })
    place?.focus({ preventScroll: true })
  }, [tool])
  return (
    <div className={styles.stack}>
      <nav className={styles.jumps} aria-label="Tools">
        {stackedTools.map(({ tool: each, label }) => (
          <Link key={each} to="/backoffice" search={{ tool: each }} resetScroll={false}>
            {label}
          </Link>
        ))}
      </nav>
      <InsertLog onUnsaved={noteUnsaved('insert-log')} />
      <CreateEvent onUnsaved={noteUnsaved('create-event')} />
      <ChangeStatus onUnsaved={noteUnsaved('change-status')} />
      <DeleteUnsubscriptions />
    </div>
  )
}
