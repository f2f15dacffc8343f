"""The line icons of the pages, 24 × 24, drawn by the style sheet's stroke."""

from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

SHAPES = {
    "check": '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
    "cross": '<path d="M6 6l12 12M18 6 6 18"/>',
    "info": '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v.1"/>',
    "ok": '<circle cx="12" cy="12" r="9"/><path d="m8 12.3 2.8 2.8L16 9.5"/>',
    "warning": '<path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.1"/>',
    "danger": '<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 7.5v5.5M12 16.3v.1"/>',
    "search": '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
    "globe": (
        '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3.8 6 3.8 9s-.8 6-3.8 '
        '9c-3-3-3.8-6-3.8-9S9 6 12 3z"/>'
    ),
    "chevron-down": '<path d="m6 9.5 6 6 6-6"/>',
    "chevron-left": '<path d="m14.5 6-6 6 6 6"/>',
    "chevron-right": '<path d="m9.5 6 6 6-6 6"/>',
    "sort-up": '<path d="M12 19V5M6.5 10.5 12 5l5.5 5.5"/>',
    "sort-down": '<path d="M12 5v14M6.5 13.5 12 19l5.5-5.5"/>',
    "plus": '<path d="M12 5v14M5 12h14"/>',
    "upload": '<path d="M12 16V4.5M7 9l5-5 5 5M4 15.5V20h16v-4.5"/>',
    "download": '<path d="M12 4v11.5M7 11l5 5 5-5M4 15.5V20h16v-4.5"/>',
    "copy": (
        '<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 8.5v-3a2 2 0 0 0-2-2h-8a2 2 0 0 '
        '0-2 2v8a2 2 0 0 0 2 2h3"/>'
    ),
    "image": (
        '<rect x="3" y="4.5" width="18" height="15" rx="2"/><circle cx="9" cy="10" r="1.7"/><path d="m4 18 '
        '5.5-5 3.5 3 3-2.5 4.5 4"/>'
    ),
    "people": (
        '<circle cx="9" cy="8.5" r="3.5"/><path d="M2.5 20c.4-3.8 3-6 6.500-6s6.100 2.200 6.500 6M15.500 '
        '5.300a3.500 3.500 0 0 1 0 6.400M17.500 14.300c2.300.7 3.700 2.700 4 5.700"/>'
    ),
    "user": '<circle cx="12" cy="8" r="4"/><path d="M4 20.500c.5-4.300 3.700-6.500 8-6.500s7.500 2.200 8 6.500"/>',
    "study": '<path d="M5 3.500h10l4 4v13H5zM15 3.500v4h4M8.500 12h7M8.500 16h7"/>',
    "job": (
        '<circle cx="12" cy="12" r="3.200"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.200 '
        '2.200M16.200 16.200l2.200 2.200M5.600 18.400l2.200-2.200M16.200 7.800l2.200-2.200"/>'
    ),
    "lock": '<rect x="5" y="10.500" width="14" height="10" rx="2"/><path d="M8 10.500V8a4 4 0 0 1 8 0v2.500"/>',
    "clock": '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.200l3.500 2"/>',
    "inbox": '<path d="M3.500 13.500 6.500 5h11l3 8.500V19h-17zM3.500 13.500h5a3.500 3.500 0 0 0 7 0h5"/>',
    "trash": '<path d="M4.500 6.500h15M9 6.500V4h6v2.500M6.500 6.500l1 14h9l1-14M10.200 10.500v6M13.800 10.500v6"/>',
    "edit": '<path d="M4 20h4L19.500 8.500l-4-4L4 16zM13 7l4 4"/>',
    "more": '<path d="M5.500 12h.1M12 12h.1M18.500 12h.1"/>',
    "pause": '<path d="M8.500 5v14M15.500 5v14"/>',
    "play": '<path d="M7.500 5v14l11-7z"/>',
    "flag": '<path d="M6 21V4M6 5c4-2.500 7 2.500 12 0v9c-5 2.500-8-2.500-12 0"/>',
    "skip": '<path d="M5.500 5.500v13l9-6.500zM18 5.500v13"/>',
    "retry": '<path d="M19.500 12a7.500 7.500 0 1 1-2.200-5.300L20 9.300M20 4.500v4.800h-4.800"/>',
}


@register.simple_tag
def icon_shape(name: str) -> SafeString:
    """What is inside the icon; an unknown name is a fault of the template that asks."""
    return mark_safe(SHAPES[name])  # noqa: S308 – our own drawings above
