# Four images from one build: api (also migrate, seed and secrets), web (renders the pages), proxy (Caddy, in front of both) and
# the Auth emulator of demonstrations. docker-compose.yml runs them. packages/production tests these steps as plain processes.
FROM node:24.21.0-trixie-slim AS build
WORKDIR /repository
# renovate: datasource=npm depName=pnpm
ARG PNPM_VERSION=12.21.0
RUN npm install --global pnpm@$PNPM_VERSION
COPY . .
RUN --mount=type=cache,target=/pnpm-store pnpm install --frozen-lockfile --store-dir /pnpm-store
# `pnpm run` would look for changes of the store first.
ENV pnpm_config_verify_deps_before_run=false
RUN pnpm --filter @rtr/api --filter @rtr/web run build
RUN --mount=type=cache,target=/pnpm-store \
    pnpm --filter @rtr/api deploy --prod --no-optional --store-dir /pnpm-store /images/api \
    && pnpm --filter @rtr/dev-stack deploy --prod --no-optional --store-dir /pnpm-store /images/auth-emulator

FROM node:24.21.0-trixie-slim AS api
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=build /images/api ./
# A new volume takes the owner of the folder that it covers.
RUN install -d -o node -g node -m 0750 /secrets/api /secrets/migrate /secrets/database
USER 1000:1000
CMD ["node", "--enable-source-maps", "dist/server.js"]

FROM node:24.21.0-trixie-slim AS web
ENV NODE_ENV=production WEB_HOST=0.0.0.0 WEB_PORT=3000
WORKDIR /app
# The server is built with its dependencies in it.
COPY --from=build /repository/apps/web/dist ./
USER 1000:1000
CMD ["node", "--enable-source-maps", "server/main.js"]

FROM node:24.21.0-trixie-slim AS auth-emulator
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /images/auth-emulator ./
RUN install -d -o node -g node -m 0700 /accounts
USER 1000:1000
CMD ["node", "src/auth-emulator-server.ts", "demo-rtr-cloud-kitchen", "9099", "15000", "/accounts/accounts.json", "0.0.0.0"]

FROM caddy:2.11.4-alpine AS proxy
# A copy without the file's capability, which a container that may have none could not even start; and the folder of the
# certificates, whose owner a new volume takes.
RUN cp /usr/bin/caddy /tmp/caddy && mv /tmp/caddy /usr/bin/caddy && chown -R 10001:10001 /data/caddy
COPY packages/production/Caddyfile /etc/caddy/Caddyfile
USER 10001:10001
