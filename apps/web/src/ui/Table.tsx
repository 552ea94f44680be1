import { Fragment, type ReactNode, useId, useState } from 'react'
import { useTexts } from '../copy/words.ts'
import { Field } from './Field.tsx'
import styles from './Table.module.css'

/** A table column. */
export type Column<Row> = {
  heading: string
  /** Right-aligns the cells, for figures. */
  figure?: boolean
  /** Hides the column heading, for example above a column of buttons. */
  silent?: boolean
  /** Hides the column when space is limited. */
  extra?: boolean
  /** The key by which a press on the heading sorts the rows. */
  sort?: string
  /** Makes the cell a button that shows and hides the row's `detail`. */
  expands?: boolean
  cell: (row: Row) => ReactNode
}

/** The order of a table's rows: a column's `sort` key and the direction. */
export type TableOrder = { by: string; descending: boolean }

/**
 * A responsive table. In a narrow space, the table hides its extra columns. In an even narrower space, it becomes a
 * list of cards showing all columns, each value below its heading. A {@link SortList} then replaces the headings.
 */
export function Table<Row>(props: {
  /** The table's description for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Whether to highlight a row, for example the best one. */
  marked?: (row: Row) => boolean
  /** Whether to grey out a row, for example an unusable one. */
  faded?: (row: Row) => boolean
  /** The order of the given rows, and how to change it. The caller sorts. */
  order?: TableOrder
  onOrder?: (order: TableOrder) => void
  /** Returns what an expanded row shows below itself, or null if the row cannot be expanded. */
  detail?: (row: Row) => ReactNode
}) {
  const { columns, rows, keyOf, order, onOrder, detail } = props
  const id = useId()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className="unseen">{props.caption}</caption>
        <thead>
          <tr>
            {columns.map(({ heading, silent, sort, ...look }) => (
              <th key={heading} scope="col" className={classOf(look)} aria-sort={directionOf(sort, order)}>
                {sort !== undefined && order && onOrder ? (
                  <>
                    <button type="button" className={styles['sort']} onClick={() => onOrder(orderAfter(sort, order))}>
                      {heading}
                      <span aria-hidden="true">{sort === order.by ? (order.descending ? '↓' : '↑') : '↕'}</span>
                    </button>
                    <span className={styles['unsorted']}>{heading}</span>
                  </>
                ) : silent ? (
                  <span className="unseen">{heading}</span>
                ) : (
                  heading
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row)
            const content = detail?.(row) ?? null
            const isOpen = content !== null && open.has(key)
            return (
              <Fragment key={key}>
                <tr
                  className={[
                    props.marked?.(row) && styles['marked'],
                    props.faded?.(row) && styles['faded'],
                    isOpen && styles['open'],
                  ]
                    .filter(Boolean)
                    .join(' ')}
                >
                  {columns.map(({ heading, silent, expands, cell, ...look }) => (
                    <td key={heading} data-heading={silent ? undefined : heading} className={classOf(look)}>
                      {expands && content !== null ? (
                        <button
                          type="button"
                          className={styles['expand']}
                          aria-expanded={isOpen}
                          aria-controls={isOpen ? `${id}-${key}` : undefined}
                          onClick={() => toggle(key)}
                        >
                          {cell(row)}
                          <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
                            <path d="M4 6l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
                          </svg>
                        </button>
                      ) : (
                        cell(row)
                      )}
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr id={`${id}-${key}`} className={styles['detail']}>
                    <td colSpan={columns.length}>{content}</td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A list box that sorts, for widths at which cards replace the headings. */
export function SortList(props: {
  options: readonly { sort: string; heading: string }[]
  order: TableOrder
  onOrder: (order: TableOrder) => void
}) {
  const { options, order, onOrder } = props
  const { common } = useTexts()
  return (
    <div className={styles['sortList']}>
      <Field label={common.sortBy}>
        {(ids) => (
          <select {...ids} value={order.by} onChange={({ target }) => onOrder({ by: target.value, descending: false })}>
            {options.map(({ sort, heading }) => (
              <option key={sort} value={sort}>
                {heading}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

/** Returns the order after a press on a heading: ascending first, then reversed. */
function orderAfter(by: string, order: TableOrder): TableOrder {
  return { by, descending: by === order.by && !order.descending }
}

function directionOf(sort: string | undefined, order: TableOrder | undefined) {
  if (sort === undefined || sort !== order?.by) return undefined
  return order.descending ? 'descending' : 'ascending'
}

function classOf({ figure, extra }: { figure?: boolean; extra?: boolean }): string | undefined {
  return [figure && styles['figure'], extra && styles['extra']].filter(Boolean).join(' ') || undefined
}
