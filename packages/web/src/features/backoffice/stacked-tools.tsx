import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Place, useSharedLeaveGuard } from '../../ui/form/record-form.tsx'
import { PillLinks } from '../../ui/layout/page-frame.tsx'
import { readBackofficePlace, type StackedTool, stackedTools } from './backoffice-parts.ts'
import { ChangeStatus } from './change-status.tsx'
import { CreateEvent } from './create-event.tsx'
import { DeleteUnsubscriptions } from './delete-unsubscriptions.tsx'
import { InsertLog } from './insert-log.tsx'

/** All parts share one path, and all tools one part. */
function isOtherPart(current: Place, next: Place): boolean {
  return current.pathname !== next.pathname || readBackofficePlace(next.search.tool).part !== 'tools'
}

/** The four tools of document 2 on one page. `tool` is the one that the address names. */
export function StackedTools({ tool }: { tool: StackedTool | null }) {
  const onUnsaved = useSharedLeaveGuard(isOtherPart)
  useEffect(() => {
    const place = tool === null ? null : document.getElementById(tool)
    place?.scrollIntoView({ block: 'start' })
    place?.focus({ preventScroll: true })
  }, [tool])
  return (
    <Stack gap={14} maw={980}>
      <PillLinks label="Tools">
        {stackedTools.map(({ tool: each, label }) => (
          <Link key={each} to="/backoffice" search={{ tool: each }} resetScroll={false}>
            {label}
          </Link>
        ))}
      </PillLinks>
      <InsertLog onUnsaved={onUnsaved('insert-log')} />
      <CreateEvent onUnsaved={onUnsaved('create-event')} />
      <ChangeStatus onUnsaved={onUnsaved('change-status')} />
      <DeleteUnsubscriptions />
    </Stack>
  )
}
