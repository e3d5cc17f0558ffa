import type { NotificationKind } from '@benchwatch/contract/notification-vocabulary'
import type { NotificationSettings } from '@benchwatch/contract/profiles'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Chevron } from '../../ui/chevron.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { ShortEventTable } from '../service-events/short-event-table.tsx'
import { useViewer } from '../service-events/use-viewer.ts'
import { nothingWords, sentWords } from './preview-words.ts'
import styles from './profile-preview.module.css'
import { previewQuery } from './profiles.api.ts'

/** "What would this have sent?": asked on demand, then kept up with what is edited. */
export function ProfilePreview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isTelling: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={styles.preview}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron to="right" className={styles.arrow} />
        What would this have sent?
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Preview {...props} />}
      </div>
    </div>
  )
}

/** Changes within this pause are one question. */
const PAUSE_MS = 500

function Preview(props: {
  profileId: string
  kind: NotificationKind
  settings: NotificationSettings
  isTelling: boolean
}) {
  const viewer = useViewer()
  // The text, not the object: another object with the same content is no change.
  const [asked] = useDebouncedValue(JSON.stringify(props.settings), PAUSE_MS)
  const preview = useQuery(previewQuery(props.profileId, JSON.parse(asked) as NotificationSettings))
  const found = preview.data
  const isStale = asked !== JSON.stringify(props.settings) || preview.isPlaceholderData
  if (preview.isError && !preview.isFetching)
    return (
      <RetryLine onRetry={() => void preview.refetch()}>Could not get the preview. {preview.error.message}</RetryLine>
    )
  return (
    <>
      <p className={styles.words} role="status">
        {found === undefined ? 'Looking at the last 7 days…' : sentWords(found)}
        {found !== undefined && isStale && <span className={styles.updating}> Updating…</span>}
      </p>
      {found?.sent === 0 ? (
        <p className={styles.nothing}>{nothingWords(found, props)}</p>
      ) : (
        <div className={styles.table}>
          <ShortEventTable rows={found?.values} viewer={viewer} showsInstrument isStale={isStale} />
        </div>
      )}
    </>
  )
}
