/** WebSocket close codes that the service sends. */
export const closeCodes = {
  slowConsumer: 1008,
  tooLarge: 1009,
  restart: 1012,
  overload: 1013,
  malformed: 4400,
  authFailed: 4401,
  notAllowed: 4403,
  authTimeout: 4408,
  banned: 4423,
  tooMany: 4429,
} as const
