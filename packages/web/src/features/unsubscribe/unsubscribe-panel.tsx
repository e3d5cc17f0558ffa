import type { RouteTypes } from '@benchwatch/contract/route'
import type { Routes } from '@benchwatch/contract/routes'
import { limits } from '@benchwatch/contract/vocabulary'
import { Anchor, Button, Checkbox, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core'
import '@mantine/core/styles/ThemeIcon.layer.css'
import { IconCircleCheck, IconMailOff, IconUnlink } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, call } from '../../lib/http.ts'
import { pageSettings } from '../../lib/page-settings.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { Fact, FactList, Named } from '../../ui/text/fact.tsx'
import { FailedQuery, Notice } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'

/** The e-mails that a link ends, and whether they have been ended already. */
type LinkedWarning = RouteTypes<Routes['getUnsubscribeInformation']>['answer']

/**
 * The page behind the unsubscribe link of an automatic support e-mail: document 2 section 2. `token`: from the
 * address, cut at 70 characters before it is sent.
 */
export function UnsubscribePanel({ token = '' }: { token: string | undefined }) {
  const sent = token.slice(0, limits.unsubscribeToken)
  return sent === '' ? <InvalidLink /> : <CheckedLink key={sent} token={sent} />
}

function CheckedLink({ token }: { token: string }) {
  const warning = useQuery(linkedWarningQuery(token))
  const unsubscribe = useUnsubscribe(token)
  if (isInvalidLink(warning.error) || isInvalidLink(unsubscribe.error)) return <InvalidLink />
  if (warning.data === undefined && warning.isError)
    return <FailedQuery title="The link could not be checked" query={warning} />
  if (warning.data === undefined) return <Waiting />
  if (warning.data.isUnsubscribed) return <Unsubscribed warning={warning.data} isNews={unsubscribe.isSuccess} />
  return (
    <Question
      warning={warning.data}
      isInFlight={unsubscribe.isPending}
      failure={unsubscribe.error}
      onUnsubscribe={unsubscribe.mutate}
    />
  )
}

interface QuestionProps {
  warning: LinkedWarning
  isInFlight: boolean
  failure: Error | null
  onUnsubscribe: (days: 30 | null) => void
}

const leads = {
  forGood: ['You will no longer receive email notifications for the warning below.', 'This action cannot be undone.'],
  forAMonth: [
    'You will not receive notifications for the warning below for 30 days.',
    'After that, they start again automatically.',
  ],
}

/** After a failure everything stays as it was, and the same button retries. */
function Question({ warning, isInFlight, failure, onUnsubscribe }: QuestionProps) {
  const [isForAMonth, setForAMonth] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // A busy button loses the focus.
  useEffect(() => {
    if (failure !== null) button.current?.focus()
  }, [failure])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (!isInFlight) onUnsubscribe(isForAMonth ? 30 : null)
  }

  return (
    <form onSubmit={handleSubmit} aria-labelledby="unsubscribe">
      <Stack gap={20}>
        <Head icon={<IconMailOff size={22} stroke={1.7} />}>
          <Title id="unsubscribe">Unsubscribe from this warning</Title>
          {leads[isForAMonth ? 'forAMonth' : 'forGood'].map((sentence) => (
            <Lead key={sentence}>{sentence}</Lead>
          ))}
        </Head>
        <Warning warning={warning} />
        <Checkbox
          size="sm"
          label="Unsubscribe for 30 days only"
          checked={isForAMonth}
          disabled={isInFlight}
          onChange={({ currentTarget }) => setForAMonth(currentTarget.checked)}
        />
        {failure !== null && <Notice tone="danger">{failure.message}</Notice>}
        <Button ref={button} type="submit" size="md" fullWidth loading={isInFlight}>
          Yes, Unsubscribe
        </Button>
      </Stack>
    </form>
  )
}

/**
 * The same text after the button and for a link that was used before. `isNews`: the form has just disappeared with the
 * focus.
 */
function Unsubscribed({ warning, isNews }: { warning: LinkedWarning; isNews: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNews) title.current?.focus()
  }, [isNews])
  return (
    <Stack gap={20}>
      <Head color="var(--bw-success)" icon={<IconCircleCheck size={22} stroke={1.7} />}>
        <Title ref={title} tabIndex={-1} style={{ outline: 'none' }}>
          Success!
        </Title>
        <Lead role="status">You have been unsubscribed</Lead>
      </Head>
      <Warning warning={warning} />
      {warning.unsubscribedUntil !== null && (
        <Lead>
          E-mails for this warning start again on{' '}
          <time dateTime={warning.unsubscribedUntil}>{formatInstrumentDate(warning.unsubscribedUntil)}</time>.
        </Lead>
      )}
    </Stack>
  )
}

function InvalidLink() {
  return (
    <Stack gap={20} role="alert">
      <Head color="var(--bw-danger)" icon={<IconUnlink size={22} stroke={1.7} />}>
        <Title>Error: Your request could not be completed!</Title>
        <Lead>
          Please try again or{' '}
          <Anchor inherit underline="always" href={`mailto:${pageSettings().supportEmail}`}>
            contact support
          </Anchor>
          .
        </Lead>
        <Lead>For security unsubscribe links are only valid for 7 days.</Lead>
      </Head>
    </Stack>
  )
}

function Head({ color, icon, children }: { color?: string; icon: ReactNode; children: ReactNode }) {
  return (
    <Stack gap={6}>
      <ThemeIcon variant="light" color={color} size={42} radius={12} mb={8} aria-hidden="true">
        {icon}
      </ThemeIcon>
      {children}
    </Stack>
  )
}

function Title(props: ComponentProps<'h1'>) {
  return <Text {...props} component="h1" fz={20} textWrap="balance" />
}

function Lead(props: { role?: 'status'; children: ReactNode }) {
  return <Text {...props} size="md" c="dimmed" textWrap="balance" />
}

function Warning({ warning }: { warning: LinkedWarning }) {
  return (
    <Paper withBorder radius={8} px={15} py={13} bg="var(--bw-ground)" __vars={{ '--fact-name': '150px' }}>
      <FactList>
        <Fact name="Error (Warning number)">{warning.eventTemplateId}</Fact>
        <Fact name="System type">{warning.instrumentProductDescription}</Fact>
        <Fact name="System name">
          <Named>{warning.instrumentDefinedSystemName}</Named>
        </Fact>
        <Fact name="Module">
          <Named>{warning.componentName}</Named>
        </Fact>
      </FactList>
    </Paper>
  )
}

/** As high as the question. */
function Waiting() {
  return (
    <Stack gap={20} role="status" aria-label="Checking the link…">
      <Head icon={null}>
        <SkeletonLine width="70%" />
        <SkeletonLine width="96%" />
        <SkeletonLine width="48%" />
      </Head>
      <Skeleton h={129} animate={false} />
      <Skeleton h={42} mt={48} animate={false} />
    </Stack>
  )
}

/** The link itself grants permission, so no session is needed or sent. */
function linkedWarningQuery(token: string) {
  return queryOptions({
    queryKey: ['unsubscribe', token] as const,
    queryFn: ({ signal }) => call('getUnsubscribeInformation', { query: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function useUnsubscribe(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (unsubscribeDays: 30 | null) => call('unsubscribe', { body: { token, unsubscribeDays } }),
    onSuccess: ({ unsubscribedUntil }) =>
      client.setQueryData(
        linkedWarningQuery(token).queryKey,
        (warning) => warning && { ...warning, isUnsubscribed: true, unsubscribedUntil },
      ),
  })
}

/** Returns true if the link is invalid or has expired. */
function isInvalidLink(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'unsubscribe-token'
}
