import { ActionIcon, Anchor, Box, Flex, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/http.ts'
import { useScreenName } from '../../lib/screen-name.ts'
import { formatClock } from '../../lib/time/dates.ts'
import { PrintHead } from '../print-head.tsx'
import { Chevron } from '../text/chevron.tsx'
import { ErrorState, FailedQuery } from '../text/notice.tsx'
import { SkeletonLine } from '../text/skeleton.tsx'
import { Card } from './card.tsx'
import styles from './details-page.module.css'
import { Breadcrumb } from './page-frame.tsx'

/** The list from which a screen was opened, with its parameters as the user left them. */
interface ListLink {
  to: '/events' | '/instruments'
  search: Record<string, string>
  name: string
}

/** The numbers of lines of a card as wide as the screen, or of the cards of two columns. */
type Bones = number | readonly [readonly number[], readonly number[]]

/**
 * The page of one item: its name, also used as window title, with two ways back to the list, its title, and its cards.
 * Shows a skeleton until the item is read, and a message if it is missing.
 */
export function DetailsPage<Item>(props: {
  list: ListLink
  name: string
  /** Before the shortcuts: the way to the next item. */
  beside?: ReactNode
  /** The shortcuts button of the screen. */
  shortcuts: ReactNode
  noun: 'event' | 'instrument'
  query: UseQueryResult<Item>
  /** The title while there is no item. */
  untitled: ReactNode
  /** A line below the title; empty, it keeps its place until the item is read. */
  subtitle?: (item: Item | null) => ReactNode
  /** Why the item may be missing: it disappeared while it was open, or it was not there. */
  missing: { since: string; ever: string }
  skeleton: readonly Bones[]
  /** `mark` and `badge` surround the title and are never truncated. */
  children: (item: Item) => { mark?: ReactNode; title: ReactNode; badge?: ReactNode; content: ReactNode }
}) {
  const { list, name, noun, query } = props
  useScreenName(name)
  const isMissing = isNotFound(query.error)
  const shown = query.data === undefined || isMissing ? null : props.children(query.data)
  const retry = () => void query.refetch()
  return (
    <Stack gap={12} className={styles.block} aria-busy={query.isPending || undefined}>
      <div>
        <PrintHead />
        <Group justify="space-between" wrap="nowrap" mih={{ base: 40, sm: 32 }}>
          <Group c="dimmed" fz="sm" gap="0 16px" miw={0}>
            <Breadcrumb
              link={
                <Link to={list.to} search={list.search} className={styles.back}>
                  <Chevron to="left" /> {list.name}
                </Link>
              }
              current={name}
            />
            {shown !== null && (
              <Text span role="status" c="var(--bw-warning)">
                {query.isError && (
                  <>
                    Could not get {noun}; showing data from {formatClock(query.dataUpdatedAt)}.{' '}
                    <Anchor component="button" type="button" inherit underline="always" onClick={retry}>
                      Try again
                    </Anchor>
                  </>
                )}
              </Text>
            )}
          </Group>
          <Group gap={4} wrap="nowrap" mr={-6} className={styles.end}>
            {props.beside}
            {props.shortcuts}
            <ActionIcon
              size={32}
              c="dimmed"
              className={styles.close}
              renderRoot={(root) => <Link {...root} to={list.to} search={list.search} />}
              aria-label="Close"
              aria-keyshortcuts="u Escape"
              title="Close: back to the list"
            >
              <IconX size={18} stroke={1.7} aria-hidden="true" />
            </ActionIcon>
          </Group>
        </Group>
        <Title fz={{ base: 18, sm: 20 }} lh="26px" className={styles.title}>
          {shown?.mark}
          <span className={styles.text}>
            {shown !== null ? (
              shown.title
            ) : query.isPending ? (
              <Text span inherit role="status" c="dimmed">
                Loading {noun}…
              </Text>
            ) : (
              props.untitled
            )}
          </span>
          {shown?.badge}
        </Title>
        {props.subtitle && (shown !== null || query.isPending) && (
          <Text size="sm" c="dimmed" mt={2} mih={20} style={{ overflowWrap: 'anywhere' }}>
            {props.subtitle(query.data ?? null)}
          </Text>
        )}
      </div>
      {shown !== null ? (
        shown.content
      ) : query.isPending ? (
        <Skeleton bones={props.skeleton} />
      ) : isMissing ? (
        <ErrorState title={`${noun === 'event' ? 'Event' : 'Instrument'} could not be found.`}>
          {query.data === undefined ? props.missing.ever : props.missing.since}
        </ErrorState>
      ) : (
        <FailedQuery title={`Could not get ${noun}`} query={query} />
      )}
    </Stack>
  )
}

/** Two columns of cards, in an order that also works in one column on a narrow screen and on paper. */
export function Columns({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <Flex
      direction={{ base: 'column', lg: 'row' }}
      align={{ base: 'stretch', lg: 'start' }}
      gap={12}
      className={styles.block}
    >
      <Stack gap={12} miw={0} flex={{ lg: 1.2, xl: 1.55 }} className={styles.block}>
        {left}
      </Stack>
      <Stack gap={12} miw={0} flex={{ lg: 1 }} className={styles.block}>
        {right}
      </Stack>
    </Flex>
  )
}

/** Bar and cards of about their final size. */
function Skeleton({ bones }: { bones: readonly Bones[] }) {
  const cards = (rows: readonly number[]) =>
    rows.map((count, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: grey cards never change places.
      <Card key={place}>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
          <Box key={index} h={27}>
            <SkeletonLine width={`${88 - ((index * 17) % 50)}%`} />
          </Box>
        ))}
      </Card>
    ))
  return (
    <Stack gap={12} aria-hidden="true">
      <Card>
        <SkeletonLine width="280px" />
      </Card>
      {bones.map((part, place) =>
        typeof part === 'number' ? (
          cards([part])
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: grey cards never change places.
          <Columns key={place} left={cards(part[0])} right={cards(part[1])} />
        ),
      )}
    </Stack>
  )
}

/** The bar below the title of a details page: controls, key facts and actions. `isSticky` keeps it in sight. */
export function DetailsBar(props: { label: string; isSticky?: boolean; children: ReactNode }) {
  return (
    <Paper
      component="section"
      withBorder
      shadow="xs"
      px={16}
      py={11}
      className={styles.bar}
      data-sticky={props.isSticky || undefined}
      aria-label={props.label}
    >
      <Group justify="space-between" gap="12px 24px" mih={38}>
        {props.children}
      </Group>
    </Paper>
  )
}

/** A row of controls or actions. On a phone, `isDocked` keeps it at the bottom of the window. */
export function BarActions({ isDocked, children }: { isDocked?: boolean; children: ReactNode }) {
  return (
    <Group
      gap={8}
      miw={0}
      flex={{ base: '1 1 100%', sm: 'none' }}
      className={styles.actions}
      data-docked={isDocked || undefined}
    >
      {children}
    </Group>
  )
}

/** Takes the space between controls and actions. */
export function BarFacts({ children }: { children: ReactNode }) {
  return (
    <Group
      component="dl"
      gap="10px 26px"
      align="start"
      flex={{ base: '1 1 100%', sm: '1 1 auto' }}
      className={styles.facts}
    >
      {children}
    </Group>
  )
}

/** One fact: its name above its value. */
export function BarFact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div title={title} style={{ overflowWrap: 'anywhere' }}>
      <Text component="dt" c="dimmed" size="xs">
        {name}
      </Text>
      <Text component="dd" mt={1} lh="20px">
        {children}
      </Text>
    </div>
  )
}
