import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CallAnswer } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { type TemplateToPreview, templatePreviewQuery } from './support-emails.api.ts'
import styles from './template-preview.module.css'

/** How a mail program draws an e-mail: on a light or a dark background. */
type MailTheme = 'light' | 'dark'

/**
 * Shows the e-mail that the server would send with the texts in the form, half a second after the last key. `input` is
 * null while the form is invalid; the previous e-mail then stays.
 */
export function TemplatePreview({
  templateKey,
  input,
}: {
  templateKey: string
  input: SupportEmailTemplateInput | null
}) {
  const current = input === null ? null : JSON.stringify({ ...input, key: templateKey })
  const settled = useSettled(current)
  const preview = useQuery(templatePreviewQuery(settled === null ? null : (JSON.parse(settled) as TemplateToPreview)))
  const mail = preview.data
  const isStale = input === null || preview.isPlaceholderData || settled !== current
  return (
    <Card title="Preview" end={<State input={input} isStale={isStale} hasMail={mail !== undefined} />} flush>
      {preview.isError && (
        <div className={styles.note}>
          <RetryLine onRetry={() => void preview.refetch()}>
            Could not get the preview. {preview.error.message}
          </RetryLine>
        </div>
      )}
      {mail !== undefined ? (
        <Mail mail={mail} isStale={isStale} />
      ) : settled === null ? (
        <p className={styles.note}>The e-mail appears here once all required fields are filled in.</p>
      ) : (
        !preview.isError && <WaitingMail />
      )}
    </Card>
  )
}

/** Tells whether the preview matches the form. */
function State(props: { input: SupportEmailTemplateInput | null; isStale: boolean; hasMail: boolean }) {
  const label = !props.hasMail
    ? ''
    : props.input === null
      ? 'Not updated: correct the marked fields'
      : props.isStale
        ? 'Updating…'
        : 'Up to date'
  return (
    <span className={styles.state} role="status">
      {label}
    </span>
  )
}

const parts = [
  { value: 'html', label: 'E-mail' },
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
        <dd>{mail.to ?? 'Contact of the instrument'}</dd>
        <dt>About</dt>
        <dd>
          {mail.eventId === null ? (
            'A sample event: this error has not been reported yet'
          ) : (
            // The form keeps its edits.
            <>
              <a href={`/events/${mail.eventId}`} target="_blank" rel="noreferrer">
                {eventName({ eventId: mail.eventId })}
              </a>
              , the newest event with this error
            </>
          )}
        </dd>
        <dt>Subject</dt>
        <dd className={styles.subject} dir="auto">
          {mail.subject}
        </dd>
      </dl>
      <div className={styles.tools}>
        <SegmentedControl label="Part of the e-mail" value={part} options={parts} onChange={setPart} />
        {part === 'html' && (
          <>
            <span className={styles.widths}>
              <SegmentedControl label="Width" value={width} options={widths} onChange={setWidth} />
            </span>
            <SegmentedControl label="E-mail theme" value={theme} options={themes} onChange={setTheme} />
          </>
        )}
      </div>
      {part === 'text' ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
        <section className={styles.text} data-stale={isStale || undefined} tabIndex={0} aria-label="E-mail as text">
          <pre>{mail.text}</pre>
        </section>
      ) : (
        <div className={styles.ground} data-theme={theme} data-stale={isStale || undefined}>
          <iframe
            className={styles.mail}
            data-width={width}
            title="E-mail as a mail program shows it"
            // No scripts, no forms, no same-origin access; links do nothing.
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
    <div className={styles.bones} role="status" aria-label="Loading preview…">
      {[34, 52, 70, 46].map((width) => (
        <SkeletonLine key={width} width={`${width}%`} />
      ))}
    </div>
  )
}

/**
 * Returns an e-mail as a mail program with this theme draws it, independent of the browser's preference. It replaces
 * the theme queries in the e-mail's own styles, because not every browser can give a frame another preference.
 */
export function mailInTheme(html: string, theme: MailTheme): string {
  const answered = html.replace(/<style\b[^>]*>[^]*?<\/style>/gi, (styles) =>
    styles.replace(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_asked, current: string) =>
      current.toLowerCase() === theme ? '(min-width: 0)' : '(max-width: 0)',
    ),
  )
  return answered.replace(/<\/head>/i, `<style>:root{color-scheme:${theme}!important}</style></head>`)
}
