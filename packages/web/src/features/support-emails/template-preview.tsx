import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import { Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallAnswer } from '../../lib/http.ts'
import { eventName } from '../../lib/screen-name.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { EDIT_DELAY_MS } from '../../ui/form/use-delayed-edit.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { RetryLine } from '../../ui/text/notice.tsx'
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
        <Text component="div" c="dimmed" p="12px 16px 18px">
          <RetryLine onRetry={() => void preview.refetch()}>
            Could not get the preview. {preview.error.message}
          </RetryLine>
        </Text>
      )}
      {mail !== undefined ? (
        <Mail mail={mail} isStale={isStale} />
      ) : settled === null ? (
        <Text c="dimmed" p="12px 16px 18px">
          The e-mail appears here once all required fields are filled in.
        </Text>
      ) : (
        !preview.isError && <WaitingMail />
      )}
    </Card>
  )
}

/** Returns `text` debounced, for requests while the user types. `null` requests nothing and changes nothing. */
function useSettled(text: string | null): string | null {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (text === null || text === settled) return
    const timer = setTimeout(() => setSettled(text), EDIT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, settled])
  return settled
}

/** Shows whether the preview matches the form. */
function State(props: { input: SupportEmailTemplateInput | null; isStale: boolean; hasMail: boolean }) {
  const label = !props.hasMail
    ? ''
    : props.input === null
      ? 'Not updated: correct the marked fields'
      : props.isStale
        ? 'Updating…'
        : 'Up to date'
  return (
    <Text span size="xs" c="dimmed" role="status">
      {label}
    </Text>
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
      <Box p="10px 16px 12px">
        <FactList>
          <Fact name="To">{mail.to ?? 'Contact of the instrument'}</Fact>
          <Fact name="About">
            {mail.eventId === null ? (
              'A sample event: this error has not been reported yet'
            ) : (
              // The form keeps its edits.
              <>
                <Anchor inherit underline="always" href={`/events/${mail.eventId}`} target="_blank" rel="noreferrer">
                  {eventName({ eventId: mail.eventId })}
                </Anchor>
                , the newest event with this error
              </>
            )}
          </Fact>
          <Fact name="Subject">
            <strong dir="auto">{mail.subject}</strong>
          </Fact>
        </FactList>
      </Box>
      <Group gap={8} p="0 16px 12px">
        <SegmentedControl label="Part of the e-mail" value={part} options={parts} onChange={setPart} />
        {part === 'html' && (
          <>
            {/* On a phone the preview is always narrow. */}
            <Box visibleFrom="sm">
              <SegmentedControl label="Width" value={width} options={widths} onChange={setWidth} />
            </Box>
            <SegmentedControl label="E-mail theme" value={theme} options={themes} onChange={setTheme} />
          </>
        )}
      </Group>
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
    <Stack gap={16} p="14px 16px 24px" role="status" aria-label="Loading preview…">
      {[34, 52, 70, 46].map((width) => (
        <Skeleton key={width} h={10} w={`${width}%`} />
      ))}
    </Stack>
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
