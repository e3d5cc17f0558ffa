import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventName } from '../../lib/event-name.ts'
import type { CallAnswer } from '../../lib/http.ts'
import { Card } from '../../ui/card.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { SkeletonLine } from '../../ui/skeleton.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { type MailTheme, mailInTheme } from './mail-theme.ts'
import { type TemplateToPreview, templatePreviewQuery } from './support-emails.api.ts'
import styles from './template-preview.module.css'

/**
 * The mail that the texts in the form would make, as the server would send it, half a second after the last key. `input`
 * is null while the form could not be sent: the mail before stays.
 */
export function TemplatePreview({
  templateKey,
  input,
}: {
  templateKey: string
  input: SupportEmailTemplateInput | null
}) {
  const wanted = input === null ? null : JSON.stringify({ ...input, key: templateKey })
  const asked = useSettled(wanted)
  const preview = useQuery(templatePreviewQuery(asked === null ? null : (JSON.parse(asked) as TemplateToPreview)))
  const mail = preview.data
  const isStale = input === null || preview.isPlaceholderData || asked !== wanted
  return (
    <Card title="Preview" end={<State input={input} isStale={isStale} hasMail={mail !== undefined} />} flush>
      {preview.isError && (
        <div className={styles.note}>
          <RetryLine onRetry={() => void preview.refetch()}>
            Could not draw the preview. {preview.error.message}
          </RetryLine>
        </div>
      )}
      {mail !== undefined ? (
        <Mail mail={mail} isStale={isStale} />
      ) : asked === null ? (
        <p className={styles.note}>The mail stands here once all fields with an asterisk are filled in.</p>
      ) : (
        !preview.isError && <WaitingMail />
      )}
    </Card>
  )
}

/** Whether what is shown is what is typed. */
function State(props: { input: SupportEmailTemplateInput | null; isStale: boolean; hasMail: boolean }) {
  const words = !props.hasMail
    ? ''
    : props.input === null
      ? 'As before: mend what is marked'
      : props.isStale
        ? 'Updating…'
        : 'Up to date'
  return (
    <span className={styles.state} role="status">
      {words}
    </span>
  )
}

const parts = [
  { value: 'html', label: 'Mail' },
  { value: 'text', label: 'Text' },
] as const
const widths = [
  { value: 'wide', label: 'Wide' },
  { value: 'narrow', label: 'Narrow' },
] as const
const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

function Mail({ mail, isStale }: { mail: CallAnswer<'previewSupportEmailTemplate'>; isStale: boolean }) {
  const [part, setPart] = useState<'html' | 'text'>('html')
  const [width, setWidth] = useState<'wide' | 'narrow'>('wide')
  const [theme, setTheme] = useState<MailTheme>('light')
  return (
    <>
      <dl className={styles.facts}>
        <dt>To</dt>
        <dd>{mail.to ?? 'The contact of the instrument'}</dd>
        <dt>About</dt>
        <dd>
          {mail.eventId === null ? (
            'An invented event: none of this error has been reported yet'
          ) : (
            // The form keeps its edits.
            <>
              <a href={`/events/${mail.eventId}`} target="_blank" rel="noreferrer">
                {eventName({ eventId: mail.eventId })}
              </a>
              , the newest of this error
            </>
          )}
        </dd>
        <dt>Subject</dt>
        <dd className={styles.subject} dir="auto">
          {mail.subject}
        </dd>
      </dl>
      <div className={styles.tools}>
        <SegmentedControl label="Part of the mail" value={part} options={parts} onChange={setPart} />
        {part === 'html' && (
          <>
            <span className={styles.widths}>
              <SegmentedControl label="Width" value={width} options={widths} onChange={setWidth} />
            </span>
            <SegmentedControl label="Colours of the mail program" value={theme} options={themes} onChange={setTheme} />
          </>
        )}
      </div>
      {part === 'text' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
        <section className={styles.text} data-stale={isStale || undefined} tabIndex={0} aria-label="The mail as text">
          <pre>{mail.text}</pre>
        </section>
      ) : (
        <div className={styles.ground} data-theme={theme} data-stale={isStale || undefined}>
          <iframe
            className={styles.mail}
            data-width={width}
            title="The mail as a mail program shows it"
            // No script, no form, nothing of this origin; links lead nowhere.
            sandbox=""
            srcDoc={mailInTheme(`<base target="_blank">${mail.html}`, theme)}
          />
        </div>
      )}
    </>
  )
}

function WaitingMail() {
  return (
    <div className={styles.bones} role="status" aria-label="Drawing the preview…">
      {[34, 52, 70, 46].map((width) => (
        <SkeletonLine key={width} width={`${width}%`} />
      ))}
    </div>
  )
}
