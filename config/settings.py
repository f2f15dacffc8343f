"""Settings of Quorum, read from QUORUM_… environment variables; docs/operator.md explains each."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from config import env
from config.keys import data_root, read_secret

BASE_DIR = Path(__file__).resolve().parent.parent
environment = env.Environment(os.environ)

DATA_ROOT = data_root(environment)
MEDIA_ROOT = environment.read("MEDIA_ROOT", env.directory, DATA_ROOT / "media")
DEBUG = environment.read("DEBUG", env.flag, False)

# Without a key file the key lives as long as the process: commands on files alone must write nothing.
SECRET_KEY = environment.read(
    "SECRET_KEY", env.secret, read_secret(DATA_ROOT / "secret.key") or secrets.token_urlsafe(64)
)
AUDIT_KEY = environment.read("AUDIT_KEY", env.hex_key, None)
AUDIT_KEY_FILE = DATA_ROOT / "audit.key"

BIND = environment.read("BIND", env.address, "127.0.0.1:8000")
DEMO = environment.read("DEMO", env.flag, True)
WEB_WORKERS = environment.read("WEB_WORKERS", env.whole_number(1, 64), 2)
PUBLIC_URL = environment.read("PUBLIC_URL", env.origin, f"http://{BIND}")
ALLOWED_HOSTS = environment.read("ALLOWED_HOSTS", env.words, ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = environment.read("TRUSTED_ORIGINS", env.origins, list[str]())
TLS_PROXY = environment.read("TLS_PROXY", env.flag, False)
HSTS_SECONDS = environment.read("HSTS_SECONDS", env.whole_number(0, 63072000), 31536000)

if TLS_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
    SECURE_HSTS_SECONDS = HSTS_SECONDS
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = TLS_PROXY
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_NAME = "quorum_session"
SESSION_COOKIE_AGE = 60 * 60 * environment.read("SESSION_HOURS", env.whole_number(1, 24 * 30), 12)
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True

INSTALLED_APPS = [
    "annotator",
    "consensus",
    "evaluation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "annotator.middleware.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "annotator.middleware.BodyLimit",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "annotator.middleware.AdminUseLogged",
    "annotator.middleware.PlainRefusals",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

default_database: dict[str, Any] = {"ENGINE": "config.sqlite", "NAME": str(DATA_ROOT / "quorum.sqlite3")}
database = environment.read("DATABASE_URL", env.database, default_database)
if database["ENGINE"] == "config.sqlite":
    database["CONN_MAX_AGE"] = None  # opening the file and reading its schema takes longer than answering a request
    database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;",
    }
DATABASES = {"default": database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

BROKER = environment.read("BROKER_URL", env.broker, "filesystem")
if BROKER == "filesystem":
    # Bells only: what is to be done stands in the Job table, so a lost message costs a minute and no work.
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_ROOT / "broker"),
        "data_folder_out": str(DATA_ROOT / "broker"),
        "control_folder": str(DATA_ROOT / "broker-control"),
    }
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "quorum_cache"}}
else:
    CELERY_BROKER_URL = BROKER
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": BROKER}}
CELERY_TASK_IGNORE_RESULT = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    "ring-waiting-jobs": {
        "task": "annotator.tasks.ring_waiting_jobs",
        "schedule": 60.0,
        "options": {"expires": 50},
    },
    # Seldom, so that lists grow by a few cases now and then, as they do when images are added.
    "show-cases-again": {"task": "annotator.tasks.show_cases_again", "schedule": 6 * 3600.0},
    "remind-graders": {"task": "annotator.tasks.remind_graders", "schedule": 12 * 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_ROOT / "beat-schedule")

AUTH_USER_MODEL = "annotator.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "annotator.accounts.InvitationOnly"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_USER_MODEL_EMAIL_FIELD = "email"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key"}
ACCOUNT_FORMS = {"change_password": "annotator.views.forms_account.ChangePasswordForm"}
ALLAUTH_TRUSTED_PROXY_COUNT = environment.read("TRUSTED_PROXIES", env.whole_number(0, 9), 1 if TLS_PROXY else 0)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Quorum"
# Addresses come from an organiser's invitation; without mail there is no way to verify them, and a second factor helps.
MFA_ALLOW_UNVERIFIED_EMAIL = True
USERSESSIONS_TRACK_ACTIVITY = False

EMAIL_CONFIGURED = False
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
mail = environment.read("EMAIL_URL", env.mail, dict[str, Any]())
if mail:
    EMAIL_CONFIGURED = True
    globals().update(mail)
DEFAULT_FROM_EMAIL = environment.read("EMAIL_FROM", env.sender, "quorum@localhost")

LANGUAGE_CODE = environment.read("LANGUAGE", env.one_of("en", "zh-hans"), "en")
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = environment.read("TIME_ZONE", env.time_zone, "UTC")
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA_ROOT / "static"
# Only what the browser needs is published: the built bundles and the style sheets, never static/src.
STATICFILES_DIRS = [("dist", BASE_DIR / "static" / "dist"), ("styles", BASE_DIR / "static" / "styles")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False
UPLOAD_LIMIT_MB = environment.read("UPLOAD_LIMIT_MB", env.whole_number(1, 100000), 2000)
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 100

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "config.tokens.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "annotator.api.paging.Pages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.answer_in_json",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Quorum",
    "DESCRIPTION": "Medical reference standards: studies, images, readings.",
    "VERSION": "1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "config.tokens.tell_scopes"],
    "ENUM_NAME_OVERRIDES": {
        "StudyState": "annotator.models.study.StudyState",
        "JobState": "annotator.models.job.JobState",
        "OwnCaseState": "annotator.api.me.STATES",
        "Role": "annotator.models.people.Role",
        "ReferenceState": "consensus.models.reference.ReferenceState",
        "TableState": "consensus.selectors.standing.STATES",
        "ExaminedRole": "consensus.api.exams.ROLES",
        "ExamMeasure": "consensus.api.exams.MEASURES",
    },
}

LOG_LEVEL = environment.read("LOG_LEVEL", env.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "config.discretion.DiscreetFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"quorum": {"level": LOG_LEVEL}, "celery": {"level": "WARNING"}, "kombu": {"level": "ERROR"}},
}

environment.refuse_unknown()
