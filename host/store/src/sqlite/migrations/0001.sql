-- Everything is STRICT: a value of the wrong type is an error, not a surprise.
-- Moments are whole milliseconds since 1970-01-01 00:00 UTC.

-- The bytes of assets: once for a tenant and a hash. `file` is below assets/.
CREATE TABLE contents (
    tenant TEXT NOT NULL,
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
    bytes  INTEGER NOT NULL,
    file   TEXT NOT NULL UNIQUE,
    PRIMARY KEY (tenant, sha256)
) STRICT, WITHOUT ROWID;

CREATE TABLE assets (
    id      TEXT PRIMARY KEY,
    tenant  TEXT NOT NULL,
    owner   TEXT NOT NULL,
    name    TEXT NOT NULL,
    sha256  BLOB NOT NULL,
    media   TEXT NOT NULL,
    created INTEGER NOT NULL,
    FOREIGN KEY (tenant, sha256) REFERENCES contents (tenant, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX assets_newest ON assets (tenant, created DESC, id DESC);
CREATE INDEX assets_content ON assets (tenant, sha256, created);

-- status: 0 queued, 1 working, 2 waiting, 3 completed, 4 failed, 5 cancelled
CREATE TABLE renders (
    id       TEXT PRIMARY KEY,
    tenant   TEXT NOT NULL,
    owner    TEXT NOT NULL,
    status   INTEGER NOT NULL CHECK (status BETWEEN 0 AND 5),
    step     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    request  TEXT NOT NULL,
    plans    TEXT NOT NULL,
    failure  TEXT,
    report   TEXT,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    expires  INTEGER NOT NULL,
    deadline INTEGER CHECK ((status = 2) = (deadline IS NOT NULL)),
    CHECK ((status = 3) = (report IS NOT NULL)),
    CHECK ((status IN (4, 5)) = (failure IS NOT NULL))
) STRICT;
CREATE INDEX renders_newest ON renders (tenant, created DESC, id DESC);
CREATE INDEX renders_open ON renders (tenant, created) WHERE status < 3;
CREATE INDEX renders_deadline ON renders (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX renders_expiry ON renders (expires);

CREATE TRIGGER renders_end_once BEFORE UPDATE ON renders WHEN OLD.status >= 3
BEGIN SELECT RAISE(ABORT, 'a render that has ended never changes'); END;
CREATE TRIGGER renders_step_by_step BEFORE UPDATE ON renders
WHEN NEW.version <> OLD.version + 1 OR NEW.attempt < OLD.attempt
  OR NEW.id <> OLD.id OR NEW.tenant <> OLD.tenant
BEGIN SELECT RAISE(ABORT, 'a render changes one version at a time'); END;
CREATE TRIGGER renders_way BEFORE UPDATE OF status ON renders
WHEN (OLD.status = 0 AND NEW.status NOT IN (1, 5))
  OR (OLD.status = 1 AND NEW.status = 0)
  OR (OLD.status = 2 AND NEW.status NOT IN (0, 4, 5))
BEGIN SELECT RAISE(ABORT, 'a render cannot go that way'); END;

-- Renders whose time was over less than a day ago.
CREATE TABLE gone (
    render TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX gone_until ON gone (until);

CREATE TABLE questions (
    id        TEXT PRIMARY KEY,
    render    TEXT NOT NULL REFERENCES renders (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,
    text      TEXT NOT NULL,
    detail    TEXT NOT NULL,
    state     BLOB NOT NULL,
    pins      TEXT NOT NULL,
    asked     INTEGER NOT NULL,
    deadline  INTEGER NOT NULL,
    approved  INTEGER CHECK (approved IN (0, 1)),
    channel   TEXT,
    subject   TEXT,
    feedback  TEXT,
    decided   INTEGER,
    UNIQUE (render, number)
) STRICT;
CREATE TRIGGER questions_decided_once BEFORE UPDATE ON questions WHEN OLD.approved IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a decision never changes'); END;

CREATE TABLE idempotency (
    tenant    TEXT NOT NULL,
    key       TEXT NOT NULL,
    arguments BLOB NOT NULL CHECK (length(arguments) = 32),
    render    TEXT NOT NULL REFERENCES renders (id) ON DELETE CASCADE,
    first_use INTEGER NOT NULL,
    PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_render ON idempotency (render);
CREATE INDEX idempotency_age ON idempotency (first_use);

-- kind: 0 output, 1 preview. `file` is below artifacts/.
CREATE TABLE artifacts (
    render     TEXT NOT NULL REFERENCES renders (id) ON DELETE CASCADE,
    kind       INTEGER NOT NULL CHECK (kind IN (0, 1)),
    tenant     TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    file       TEXT NOT NULL UNIQUE,
    created    INTEGER NOT NULL,
    PRIMARY KEY (render, kind)
) STRICT;
CREATE INDEX artifacts_newest ON artifacts (tenant, created DESC, file DESC);

-- `file` is below plugins/. `used` is when a render last stopped needing it.
CREATE TABLE plugins (
    digest TEXT PRIMARY KEY,
    bytes  INTEGER NOT NULL,
    file   TEXT NOT NULL UNIQUE,
    used   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX plugins_used ON plugins (used);

-- What an unfinished render needs.
CREATE TABLE render_assets (
    render TEXT NOT NULL REFERENCES renders (id) ON DELETE CASCADE,
    asset  TEXT NOT NULL REFERENCES assets (id),
    PRIMARY KEY (render, asset)
) STRICT, WITHOUT ROWID;
CREATE INDEX render_assets_asset ON render_assets (asset);
CREATE TABLE render_plugins (
    render TEXT NOT NULL REFERENCES renders (id) ON DELETE CASCADE,
    digest TEXT NOT NULL REFERENCES plugins (digest),
    PRIMARY KEY (render, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX render_plugins_digest ON render_plugins (digest);

CREATE TABLE sessions (
    id        TEXT PRIMARY KEY,
    principal TEXT NOT NULL,
    data      TEXT NOT NULL,
    created   INTEGER NOT NULL,
    touched   INTEGER NOT NULL,
    log_bytes INTEGER NOT NULL DEFAULT 0 CHECK (log_bytes >= 0)
) STRICT;
CREATE INDEX sessions_principal ON sessions (principal, touched);
CREATE INDEX sessions_touched ON sessions (touched);

CREATE TABLE events (
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    stream  INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (session, number)
) STRICT;
CREATE INDEX events_stream ON events (session, stream, number);
CREATE INDEX events_age ON events (at);
-- What an event costs beside its payload is taken as 64 bytes.
CREATE TRIGGER events_grow AFTER INSERT ON events
BEGIN UPDATE sessions SET log_bytes = log_bytes + octet_length(NEW.payload) + 64
      WHERE id = NEW.session; END;
CREATE TRIGGER events_shrink AFTER DELETE ON events
BEGIN UPDATE sessions SET log_bytes = log_bytes - octet_length(OLD.payload) - 64
      WHERE id = OLD.session; END;

-- Rows keep the order in which requests were first saved.
CREATE TABLE pending (
    row     INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id      TEXT NOT NULL,
    topic   TEXT NOT NULL,
    data    TEXT NOT NULL,
    UNIQUE (session, id)
) STRICT;
CREATE INDEX pending_topic ON pending (topic);

CREATE TABLE tokens (
    id      TEXT PRIMARY KEY,
    hash    BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    tenant  TEXT NOT NULL,
    subject TEXT NOT NULL,
    scopes  TEXT NOT NULL,
    label   TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER
) STRICT;
CREATE INDEX tokens_newest ON tokens (created DESC, id DESC);
