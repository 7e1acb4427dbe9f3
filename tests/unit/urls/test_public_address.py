"""Public and private network addresses."""

import pytest

from posterity.urls.kinds import is_public_address

PUBLIC = ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "[2001:4860:4860::8888]", "1.1.1.1"]
INSIDE = """
    127.0.0.1 127.255.255.254 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
    192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
    ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 fec0::1 ff02::1 2001:db8::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
    64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1:: [::1]
""".split()
NO_ADDRESS = ["", "localhost", "example.com", "127.1", "0x7f.1", "2130706433", "1.2.3.4.5", "not an address"]


@pytest.mark.parametrize("address", PUBLIC)
def test_address_of_the_web_is_public(address: str) -> None:
    assert is_public_address(address)


@pytest.mark.parametrize("address", INSIDE)
def test_address_of_a_machine_or_network_is_not(address: str) -> None:
    assert not is_public_address(address)


@pytest.mark.parametrize("address", NO_ADDRESS)
def test_what_is_no_address_is_not_public(address: str) -> None:
    assert not is_public_address(address)
