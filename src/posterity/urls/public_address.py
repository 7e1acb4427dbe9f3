"""Whether an IP address is out on the open web: not this machine, not a private network, not a cloud's metadata.

Whoever fetches addresses that a stranger names must ask this of the address that a connection really goes to, not of
the name: a name can lead anywhere, and somewhere else the next time it is asked (DNS rebinding).
"""

from __future__ import annotations

import ipaddress

# RFC 6052 and RFC 3056: an IPv4 address hides in the last or in the second part of these.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_this_machine(host: str) -> bool:
    """Tell whether the host name or literal address is that of the loopback interface."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_public_address(address: str) -> bool:
    """Tell whether this literal address may be asked; what is no address at all may not."""
    try:
        found = ipaddress.ip_address(address.strip("[]").partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public_address(str(inner))
        if found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved
