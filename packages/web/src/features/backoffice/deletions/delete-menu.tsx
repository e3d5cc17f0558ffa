import type { ServiceEvent } from '@benchwatch/contract/events'
import type { Instrument } from '@benchwatch/contract/instruments'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { featuresQuery, meQuery } from '../../users/users.api.ts'
import { DeletionFields, deletableKinds, deletions, subjectOfEvent, subjectOfInstrument } from './deletion-form.tsx'

/**
 * A menu at the end of a page's bar that deletes the event or instrument of the page. Absent unless the user's role
 * and flags allow it.
 */
export function DeleteMenu(
  props: ({ kind: 'event'; of: ServiceEvent } | { kind: 'instrument'; of: Instrument }) & { onDone: () => void },
) {
  const me = useQuery(meQuery()).data
  const features = useQuery(featuresQuery()).data
  const [isOpen, setOpen] = useState(false)
  if (me === undefined || features === undefined || !deletableKinds(me.role, features).includes(props.kind)) return null
  const { title, noun } = deletions[props.kind]
  const subject = props.kind === 'event' ? subjectOfEvent(props.of) : subjectOfInstrument(props.of)
  return (
    <>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size="var(--bw-control)" aria-label="More actions">
            <IconDots size={16} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            c="var(--bw-danger)"
            leftSection={<IconTrash size={15} stroke={1.7} aria-hidden="true" />}
            onClick={() => setOpen(true)}
          >
            Delete {noun}…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title={title} size={560}>
          <DeletionFields kind={props.kind} subject={subject} onDone={props.onDone} />
        </Dialog>
      )}
    </>
  )
}
