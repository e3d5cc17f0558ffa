import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import styles from './backoffice.module.css'
import { type StackedTool, stackedTools } from './backoffice-parts.ts'
import { ChangeStatus } from './change-status.tsx'
import { CreateEvent } from './create-event.tsx'
import { DeleteUnsubscriptions } from './delete-unsubscriptions.tsx'
import { InsertLog } from './insert-log.tsx'

/** The four tools of document 2, one below the other. `tool` is the one that the address leads to. */
export function StackedTools({ tool }: { tool: StackedTool | null }) {
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
      <InsertLog />
      <CreateEvent />
      <ChangeStatus />
      <DeleteUnsubscriptions />
    </div>
  )
}
