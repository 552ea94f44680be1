import { endpoints } from '@firmquote/core/endpoints'
import { sendJsonText } from '../answers/answer.ts'
import { encodeQuotePage } from '../answers/encodeQuotePage.ts'
import { answered, handle } from '../handle.ts'

/** The page is put together from the stored texts of its quotes: encoding them again would cost more than all the rest. */
export const handleListQuotes = handle(
  endpoints.listQuotes,
  ({ service: { book } }) =>
    async ({ query }, _req, res) => {
      sendJsonText(res, 200, encodeQuotePage(await book.listTexts(query)))
      return answered
    },
)
